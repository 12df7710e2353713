import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { create, expectClean, openGateway, refusal } from '../support/gateway.js'
import { makeRepository, type TestRepository } from '../support/repository.js'
import { digestOf, makePlace } from './hostile.js'
import { files, makePlanted, outcomeOf } from './plant.js'

describe('a registration that points elsewhere', () => {
  /** Plants the worktree of an agent that never was one, lying in somebody else's checkout. */
  async function plantRegistration(path: (outside: string, repository: string) => string) {
    const planted = await makePlanted()
    const { repository, put, outside } = planted
    const somebodys = await makeRepository({ 'private.txt': 'private\n', 'a.txt': 'theirs\n' })
    await repository.git('branch', 'agent/alice')
    for (const kind of ['base', 'reported']) {
      await repository.git('update-ref', `refs/editlatch/${kind}/alice`, 'HEAD')
    }
    put('worktrees/alice/HEAD', 'ref: refs/heads/agent/alice\n')
    put('worktrees/alice/commondir', '../..\n')
    put('worktrees/alice/gitdir', `${path(somebodys.path, repository.path)}\n`)
    return { ...planted, outside, somebodys }
  }

  test.each<[string, (theirs: string, repository: string) => string]>([
    ["somebody else's checkout", theirs => `${theirs}/.git`],
    [
      'the same by a relative path',
      (theirs, own) => `../../../${join('..', theirs.slice(dirname(own).length + 1))}/.git`,
    ],
    ['the main checkout', (_, own) => `${own}/.git`],
    ['the root', () => '/.git'],
    ['nothing', () => ''],
  ])('is not one: %s', async (_, path) => {
    const { repository, somebodys } = await plantRegistration(path)
    const before = [digestOf(somebodys.path), digestOf(join(repository.path, 'a.txt'))]
    const { gateway } = await openGateway(repository, { secondReader: false })
    const gone = { code: 'WORKTREE_GONE' }
    expect(await refusal(gateway.openWorktree({ agent: 'alice' }))).toMatchObject(gone)
    expect(await refusal(gateway.worktree('alice'))).toMatchObject(gone)
    expect(await gateway.worktrees()).toEqual([])
    await gateway.closeWorktree('alice', { force: true }).catch(() => undefined)
    expect([digestOf(somebodys.path), digestOf(join(repository.path, 'a.txt'))]).toEqual(before)
  })

  test('a worktree that was moved and repaired is found', async () => {
    const repository = await makeRepository(files)
    const { open, gateway } = await openGateway(repository)
    const { path, git } = await open('alice')
    await gateway.close()
    const moved = join(makePlace('moved'), 'here')
    await git('worktree', 'unlock', path)
    await git('worktree', 'move', path, moved)
    const again = await openGateway(repository)
    // Another directory of worktrees, so that only the registration can tell.
    expect((await again.open('alice')).path).toBe(moved)
  })
})

test('the checkout of a directory that only says it belongs to a repository is not served', async () => {
  const theirs = await makeRepository({ 'private.txt': 'private\n' })
  const linked = join(makePlace('linked'), 'w')
  await theirs.git('worktree', 'add', '--quiet', linked)
  const own = join(theirs.path, '.git')
  const hostile = makePlace('borrower')
  for (const gitDir of [own, join(own, 'worktrees', 'w')]) {
    writeFileSync(join(hostile, '.git'), `gitdir: ${gitDir}\n`)
    expect(await outcomeOf({ path: hostile } as TestRepository)).toBe('UNSUPPORTED_REPOSITORY')
  }
  // Its own files are edited under other names, so the first edit finds none.
  expect(await outcomeOf({ path: linked } as TestRepository)).toBe('FILE_NOT_FOUND')
})

test('a git directory that lies apart, as of a submodule, is served for its own checkout only', async () => {
  const source = await makeRepository(files)
  const above = await makeRepository({ 'top.txt': 't\n' })
  await above.git(
    '-c',
    'protocol.file.allow=always',
    'submodule',
    'add',
    '--quiet',
    source.path,
    'sub',
  )
  const sub = join(above.path, 'sub')
  expect(await outcomeOf({ path: sub } as TestRepository)).toBe('done')
  const hostile = makePlace('borrower')
  writeFileSync(join(hostile, '.git'), `gitdir: ${join(above.path, '.git/modules/sub')}\n`)
  expect(await outcomeOf({ path: hostile } as TestRepository)).toBe('UNSUPPORTED_REPOSITORY')
  const bare = join(makePlace('bare'), 'x.git')
  await source.git('clone', '--quiet', '--bare', '.', bare)
  writeFileSync(join(hostile, '.git'), `gitdir: ${bare}\n`)
  expect(await outcomeOf({ path: hostile } as TestRepository)).toBe('UNSUPPORTED_REPOSITORY')
  const apart = join(makePlace('apart'), 'git')
  const checkout = join(makePlace('checkout'), 'w')
  await source.git('clone', '--quiet', '--separate-git-dir', apart, '.', checkout)
  expect(await outcomeOf({ path: checkout } as TestRepository)).toBe('done')
})

describe('an intent that no batch of ours wrote', () => {
  const sha = (text: string): string => createHash('sha256').update(text).digest('hex')

  async function plantIntent(
    make: (oids: { head: string; old: string; a: string; b: string }) => unknown,
  ) {
    const repository = await makeRepository(files)
    const { open } = await openGateway(repository)
    const worktree = await open('alice')
    const old = worktree.opened.head
    await worktree.replace('b.txt', 'b', 'B')
    const head = await worktree.git('rev-parse', 'HEAD')
    const [a, b] = [await worktree.rev('a.txt'), await worktree.rev('b.txt')]
    const gitDir = await worktree.git('rev-parse', '--absolute-git-dir')
    const text = JSON.stringify(make({ head, old, a, b }))
    writeFileSync(join(gitDir, 'editlatch', 'intent'), text)
    return worktree
  }

  const entry = (path: string, disk: string | null, after: string | null) => ({
    path,
    disk: disk === null ? null : sha(disk),
    after: after === null ? null : { oid: after, mode: '100644' },
  })

  test.each<[string, (oids: { b: string }) => unknown]>([
    ["the blob of another file over a file that holds head's", ({ b }) => entry('a.txt', 'a\n', b)],
    ['a file that head does not have', ({ b }) => entry('CLAUDE.md', null, b)],
    ['the end of a file that head has', () => entry('a.txt', 'a\n', null)],
  ])('writes nothing: %s', async (_, make) => {
    const worktree = await plantIntent(({ head, old, b }) => ({
      ref: 'refs/heads/agent/alice',
      old,
      new: head,
      paths: [make({ b })],
    }))
    const before = digestOf(worktree.path)
    const place = dirname(worktree.path)
    expect(await refusal(worktree.text('a.txt'))).toMatchObject({ code: 'DIVERGED' })
    expect(await refusal(worktree.apply([create('n', 'n')]))).toMatchObject({ code: 'DIVERGED' })
    expect(digestOf(worktree.path)).toBe(before)
    expect(existsSync(join(place, 'escaped.txt'))).toBe(false)
    const gitDir = await worktree.git('rev-parse', '--absolute-git-dir')
    rmSync(join(gitDir, 'editlatch', 'intent'))
    await worktree.apply([create('n', 'n')])
    await expectClean(worktree)
  })

  test.each<[string, (oids: { b: string }) => unknown]>([
    ['a path above the worktree', ({ b }) => entry('../escaped.txt', null, b)],
    ['an absolute path', ({ b }) => entry('/tmp/escaped.txt', null, b)],
    ["git's own directory", ({ b }) => entry('.git/config', null, b)],
    ['no path at all', () => ({ disk: null, after: null })],
  ])('counts as none: %s', async (_, make) => {
    const worktree = await plantIntent(({ head, old, b }) => ({
      ref: 'refs/heads/agent/alice',
      old,
      new: head,
      paths: [make({ b })],
    }))
    const before = digestOf(worktree.path)
    expect(await worktree.text('a.txt')).toBe('a\n')
    expect(digestOf(worktree.path)).toBe(before)
    await worktree.apply([create('n', 'n')])
    await expectClean(worktree)
    expect(existsSync(join(dirname(worktree.path), 'escaped.txt'))).toBe(false)
  })

  test('an honest one is finished all the same', async () => {
    const worktree = await plantIntent(({ head, old, b }) => ({
      ref: 'refs/heads/agent/alice',
      old,
      new: head,
      paths: [entry('b.txt', 'b\n', b)],
    }))
    await worktree.write('b.txt', 'b\n')
    expect(await worktree.text('b.txt')).toBe('B\n')
    await expectClean(worktree)
  })
})

test('records that name anything but a process of ours free no lock', async () => {
  const repository = await makeRepository(files)
  const { open } = await openGateway(repository)
  const worktree = await open('alice')
  const gitDir = await worktree.git('rev-parse', '--absolute-git-dir')
  const record = { pid: 1, start: '', boot: '', machine: '', namespace: '', nonce: '0'.repeat(16) }
  const texts = [JSON.stringify(record), '{', 'x'.repeat(5_000), '\0']
  for (const [at, text] of texts.entries()) {
    writeFileSync(join(gitDir, 'editlatch', `owner-${at}-${'0'.repeat(16)}`), text)
  }
  writeFileSync(join(gitDir, 'index.lock'), 'of git')
  expect(await refusal(worktree.apply([create('n', 'n')]))).toMatchObject({ code: 'LOCKED' })
  expect(readFileSync(join(gitDir, 'index.lock'), 'utf8')).toBe('of git')
  rmSync(join(gitDir, 'index.lock'))
  await worktree.apply([create('n', 'n')])
})

describe('objects that are not what their id says', () => {
  test('are not served', async () => {
    const planted = await makePlanted()
    const oid = await planted.repository.git('rev-parse', 'HEAD:b.txt')
    const other = await planted.repository.git('rev-parse', 'HEAD:a.txt')
    const place = (name: string): string => planted.at(`objects/${name.replace(/^../, '$&/')}`)
    const { open } = await openGateway(planted.repository, { secondReader: false })
    const worktree = await open('alice')
    const lie = readFileSync(place(other))
    rmSync(place(oid))
    writeFileSync(place(oid), lie)
    rmSync(join(worktree.path, 'b.txt'))
    await worktree.git('update-index', '--skip-worktree', 'b.txt')
    expect(await refusal(worktree.text('b.txt'))).toMatchObject({ code: 'OBJECT_MISSING' })
    expect(await worktree.text('a.txt')).toBe('a\n')
  })
})

test('a directory of worktrees that somebody else has prepared is not used', async () => {
  const repository = await makeRepository(files)
  const outside = makePlace('outside')
  symlinkSync(outside, `${repository.path}.worktrees`)
  const { gateway } = await openGateway(repository, { worktreesDir: undefined as never })
  expect(await refusal(gateway.openWorktree({ agent: 'alice' }))).toMatchObject({ code: 'SYMLINK' })
  expect(digestOf(outside)).toBe(digestOf(makePlace('empty')))
  rmSync(`${repository.path}.worktrees`)
})

test('a git that lies in the worktree is never the git that is run', async () => {
  const repository = await makeRepository({
    git: { text: '#!/bin/sh\ntouch "$(dirname "$0")/ran"\n', mode: '755' },
    'a.txt': 'a\n',
  })
  const host = { ...process.env, PATH: `.::${process.env.PATH}` }
  const { open } = await openGateway(repository, { host, secondReader: false })
  const worktree = await open('alice')
  await worktree.replace('a.txt', 'a', 'A')
  await worktree.worktree.state()
  expect([
    existsSync(join(worktree.path, 'ran')),
    existsSync(join(repository.path, 'ran')),
  ]).toEqual([false, false])
})
