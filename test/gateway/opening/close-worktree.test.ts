import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import {
  create,
  expectClean,
  openGateway,
  refusal,
  type TestGateway,
  type TestWorktree,
} from '../../support/gateway.js'
import { makeRepository, type TestRepository } from '../../support/repository.js'

let repository: TestRepository
let served: TestGateway
beforeAll(async () => {
  repository = await makeRepository({ 'a.txt': 'a\n', 'd/b.txt': 'b\n', '.gitignore': '*.log\n' })
  served = await openGateway(repository)
})

const close = (agent: string, force = false): Promise<unknown> =>
  served.gateway.closeWorktree(agent, { force })

/** What git still knows of an agent. */
async function traces(agent: string): Promise<readonly string[]> {
  const refs = await repository.git('for-each-ref', '--format=%(refname)')
  const worktrees = await repository.git('worktree', 'list')
  return [...refs.split('\n'), ...worktrees.split('\n')].filter(line => line.includes(agent))
}

async function expectGone({ path, opened }: TestWorktree): Promise<void> {
  expect(existsSync(path)).toBe(false)
  expect(await refusal(served.gateway.worktree(opened.agent))).toMatchObject({ code: 'NOT_FOUND' })
}

test('an untouched worktree leaves nothing behind', async () => {
  const worktree = await served.open('untouched')
  const answer = await close('untouched')
  expect(answer).toEqual({ id: worktree.id, closed: true })
  await expectGone(worktree)
  expect(await traces('untouched')).toEqual([])
  expect(await refusal(close('untouched'))).toMatchObject({ code: 'NOT_FOUND' })
})

test('the name is free again', async () => {
  await served.open('reborn')
  await close('reborn')
  const worktree = await served.open('reborn')
  await worktree.replace('a.txt', 'a', 'b')
  await expectClean(worktree)
})

test.each([
  ['an edited file', 'a.txt', 'changed\n'],
  ['an untracked file', 'new.txt', 'new\n'],
])('refused with %s, closed when it is gone', async (_, path, content) => {
  const agent = `dirty-${path.length}`
  const worktree = await served.open(agent)
  await worktree.write(path, content)
  expect(await refusal(close(agent))).toMatchObject({
    code: 'UNLANDED',
    status: 409,
    unlanded_commits: 0,
    dirty: [path],
  })
  expect(existsSync(join(worktree.path, path))).toBe(true)
  await worktree.git('checkout', '--quiet', '.')
  await worktree.git('clean', '--quiet', '--force')
  await close(agent)
  await expectGone(worktree)
})

test('refused while a commit is on no other branch, fine after a merge', async () => {
  const worktree = await served.open('merged')
  await worktree.apply([create('m.txt', 'm\n')])
  expect(await refusal(close('merged'))).toMatchObject({ code: 'UNLANDED', unlanded_commits: 1 })
  await repository.git('merge', '--quiet', 'agent/merged')
  await close('merged')
  await expectGone(worktree)
  expect(await traces('merged')).toEqual([])
  await repository.git('reset', '--quiet', '--hard', 'HEAD~1')
})

test('a tag or a remote branch holds the work too', async () => {
  for (const ref of ['refs/tags/kept', 'refs/remotes/origin/kept']) {
    const worktree = await served.open('held')
    const { commit } = await worktree.apply([create('m.txt', `${ref}\n`)])
    await repository.git('update-ref', ref, commit ?? '')
    await close('held')
    await expectGone(worktree)
  }
})

test('by force the commits stay under another name, dirty files among them', async () => {
  const worktree = await served.open('forced')
  await worktree.apply([create('m.txt', 'm\n')])
  await worktree.write('a.txt', 'by hand\n')
  await worktree.write('d/new.txt', 'new\n')
  const answer = await close('forced', true)
  const kept = 'refs/editlatch/closed/forced'
  expect(answer).toEqual({ id: worktree.id, closed: true, kept_ref: kept })
  await expectGone(worktree)
  expect(await traces('forced')).toEqual([kept])
  expect(await repository.git('show', `${kept}:a.txt`)).toBe('by hand')
  expect(await repository.git('show', `${kept}:d/new.txt`)).toBe('new')
  expect(await repository.git('log', '-1', '--format=%(trailers:key=Editlatch-Source)', kept)).toBe(
    'Editlatch-Source: external',
  )
})

test('by force without any work nothing is kept', async () => {
  const worktree = await served.open('idle')
  expect(await close('idle', true)).toEqual({ id: worktree.id, closed: true })
  expect(await traces('idle')).toEqual([])
})

test('work that was kept before stays when the name is closed by force again', async () => {
  const commits: string[] = []
  for (const text of ['first\n', 'second\n']) {
    const worktree = await served.open('twice')
    commits.push((await worktree.apply([create('m.txt', text)])).commit ?? '')
    await close('twice', true)
  }
  const kept = await repository.git(
    'for-each-ref',
    '--format=%(objectname)',
    'refs/editlatch/closed/twice*',
  )
  expect(kept.split('\n').sort()).toEqual(commits.sort())
})

test('commits on a detached HEAD are work as well', async () => {
  const worktree = await served.open('detached')
  await worktree.git('checkout', '--quiet', '--detach')
  await worktree.write('m.txt', 'm\n')
  const commit = await worktree.commit('on no branch')
  expect(await refusal(close('detached'))).toMatchObject({ code: 'UNLANDED', unlanded_commits: 1 })
  await repository.git('branch', 'rescued', commit)
  await close('detached')
  await expectGone(worktree)
})

test('what cannot be committed is not thrown away by force', async () => {
  const worktree = await served.open('linked')
  await symlink('a.txt', join(worktree.path, 'link'))
  expect(await refusal(close('linked', true))).toMatchObject({ code: 'UNLANDED', dirty: ['link'] })
  await worktree.git('clean', '--quiet', '--force')
  await close('linked', true)
  await expectGone(worktree)
})

test('a file whose name is no UTF-8 is work as well', async () => {
  const worktree = await served.open('named')
  const name = Buffer.concat([Buffer.from(`${worktree.path}/`), Buffer.from([0x61, 0xff])])
  writeFileSync(name, 'x')
  expect(await refusal(close('named'))).toMatchObject({ code: 'UNLANDED', dirty: ['a\ufffd'] })
  expect(await refusal(close('named', true))).toMatchObject({ code: 'UNLANDED' })
  rmSync(name)
  await close('named')
})

test('a name that we do not take does not keep other files from being kept', async () => {
  const worktree = await served.open('odd')
  await worktree.write('back\\slash', 'x')
  await worktree.write('plain.txt', 'plain\n')
  expect(await refusal(close('odd', true))).toMatchObject({
    code: 'UNLANDED',
    dirty: ['back\\slash'],
  })
  expect(await worktree.git('show', 'HEAD:plain.txt')).toBe('plain')
  await worktree.git('clean', '--quiet', '--force')
  await close('odd', true)
})

test('another agent is not touched', async () => {
  const [one, two] = [await served.open('one'), await served.open('two')]
  await two.apply([create('two.txt', '2\n')])
  await close('one')
  await expectGone(one)
  await two.replace('two.txt', '2', '3')
  await expectClean(two)
})

test('of a batch and a closing at once only one is done', async () => {
  const worktree = await served.open('late')
  const ends = await Promise.allSettled([
    close('late'),
    worktree.apply([create('late.txt', 'late\n')]),
  ])
  expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(existsSync(join(worktree.path, 'late.txt'))).toBe(existsSync(worktree.path))
})
