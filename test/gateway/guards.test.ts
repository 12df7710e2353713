import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { create, expectClean, openGateway, refusal, type TestWorktree } from '../support/gateway.js'
import { makeRepository, type TestRepository } from '../support/repository.js'

let repository: TestRepository
let worktree: TestWorktree
let base: string
let gitDir: string
beforeAll(async () => {
  repository = await makeRepository({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'd/c.txt': 'c\n' })
  base = await repository.git('rev-parse', 'HEAD')
  await repository.git('checkout', '--quiet', '-b', 'theirs')
  await repository.write('a.txt', 'theirs\n')
  await repository.commit('theirs')
  await repository.git('checkout', '--quiet', 'main')
  worktree = await (await openGateway(repository)).open('guarded', { base })
  gitDir = await worktree.git('rev-parse', '--absolute-git-dir')
})
beforeEach(async () => {
  for (const way of ['merge', 'rebase', 'cherry-pick', 'revert', 'am'])
    await worktree.git(way, '--abort').catch(() => '')
  await worktree.git('checkout', '--quiet', '--force', 'agent/guarded')
  await worktree.git('reset', '--quiet', '--hard', base)
  await worktree.git('clean', '--quiet', '-ffdx')
})

/** What a refused batch must not change. */
async function everything(): Promise<readonly string[]> {
  return [
    await worktree.git('for-each-ref'),
    readFileSync(join(gitDir, 'index'), 'latin1'),
    readFileSync(join(worktree.path, 'b.txt'), 'latin1'),
  ]
}

describe("in the middle of the user's own operation", () => {
  const mine = async (): Promise<void> => {
    await worktree.write('a.txt', 'mine\n')
    await worktree.commit('mine')
  }
  const conflicting = (...args: readonly string[]): Promise<unknown> =>
    worktree.git(...args).then(
      () => Promise.reject(new Error('no conflict')),
      () => undefined,
    )

  test.each([
    ['a merge', ['merge', 'theirs'], 'merge in progress'],
    ['a rebase', ['rebase', 'theirs'], undefined],
    ['a cherry-pick', ['cherry-pick', 'theirs'], 'cherry-pick in progress'],
    ['a revert', ['revert', '--no-edit', 'theirs'], 'revert in progress'],
  ] as const)('%s', async (_, args, reason) => {
    await mine()
    await conflicting(...args)
    const edit = create('n.txt', 'n\n')
    const before = await everything()
    const told = await refusal(worktree.apply([edit]))
    // A rebase leaves the branch, which is seen first.
    expect(told).toMatchObject(
      reason === undefined
        ? { code: 'HEAD_MOVED', status: 409 }
        : { code: 'LOCKED', status: 423, reason },
    )
    expect(await everything()).toEqual(before)
    const { locked } = await worktree.worktree.state()
    expect(locked).toBe(reason ?? 'HEAD_MOVED')
    expect(await worktree.text('b.txt')).toBe('b\n')
    await worktree.git(args[0], '--abort')
    await worktree.apply([edit])
    await expectClean(worktree)
  })

  test('a merge without conflicts that waits for its commit', async () => {
    await worktree.git('merge', '--quiet', '--no-ff', '--no-commit', 'theirs')
    expect(await refusal(worktree.apply([create('n', 'n')]))).toMatchObject({ code: 'LOCKED' })
    await worktree.git('commit', '--quiet', '-m', 'merged')
    await worktree.apply([create('n', 'n')])
    await expectClean(worktree)
  })

  test.each(['2', '4'])(
    'an index with conflicts, whatever made them; version %s',
    async version => {
      await worktree.git('update-index', '--index-version', version)
      const entries = [1, 2, 3].map(stage => `100644 ${'%'} ${stage}\ta.txt\n`)
      const blob = await worktree.git('rev-parse', 'HEAD:b.txt')
      await worktree.gitRaw(['update-index', '--index-info'], {
        input: `0 ${'0'.repeat(40)}\ta.txt\n${entries.join('').replaceAll('%', blob)}`,
      })
      expect(await refusal(worktree.apply([create('n', 'n')]))).toMatchObject({
        code: 'LOCKED',
        reason: 'unmerged index',
      })
    },
  )

  test('a snapshot waits as well', async () => {
    await mine()
    await conflicting('merge', 'theirs')
    expect(await refusal(worktree.worktree.snapshot())).toMatchObject({ code: 'LOCKED' })
  })
})

describe('HEAD is not on the branch of the agent', () => {
  test.each([
    ['detached', ['--detach'], undefined],
    ['on another branch', ['-B', 'elsewhere'], 'refs/heads/elsewhere'],
  ] as const)('%s', async (_, how, head) => {
    await worktree.git('checkout', '--quiet', ...how)
    const before = await everything()
    expect(await refusal(worktree.apply([create('n', 'n')]))).toMatchObject({
      code: 'HEAD_MOVED',
      status: 409,
      head: head ?? base,
    })
    expect(await everything()).toEqual(before)
    expect(await worktree.worktree.state()).toMatchObject({ locked: 'HEAD_MOVED' })
  })
})

describe('a lock that is not ours', () => {
  test('CONC-2: of the index is waited for, told, and left where it is', async () => {
    const lock = join(gitDir, 'index.lock')
    writeFileSync(lock, "somebody's")
    const { ino } = statSync(lock)
    const before = await everything()
    expect(await refusal(worktree.apply([create('n', 'n')]))).toMatchObject({
      code: 'LOCKED',
      status: 423,
      reason: 'index.lock',
    })
    expect([statSync(lock).ino, readFileSync(lock, 'utf8')]).toEqual([ino, "somebody's"])
    expect(await everything()).toEqual(before)
    await rm(lock)
    await worktree.apply([create('n', 'n')])
    await expectClean(worktree)
  })

  test('of the index that goes away in time is no hindrance', async () => {
    const lock = join(gitDir, 'index.lock')
    writeFileSync(lock, '')
    const applied = worktree.apply([create('n', 'n')])
    setTimeout(() => rm(lock), 100)
    expect((await applied).commit).not.toBeNull()
    await expectClean(worktree)
  })

  test.each([
    ['HEAD', () => join(gitDir, 'HEAD.lock')],
    ['the branch', () => join(repository.path, '.git/refs/heads/agent/guarded.lock')],
  ])('of %s', async (_, place) => {
    writeFileSync(place(), '')
    const before = await everything()
    const told = await refusal(worktree.apply([create('n', 'n')]))
    expect(told).toMatchObject({ code: 'LOCKED' })
    expect(existsSync(place())).toBe(true)
    expect(await everything()).toEqual(before)
    await rm(place())
    await worktree.apply([create('n', 'n')])
    await expectClean(worktree)
  })
})

describe('what is not a regular file', () => {
  test('a link that git stores is no target, and is not followed', async () => {
    await symlink('b.txt', join(worktree.path, 'link'))
    await symlink('d', join(worktree.path, 'into'))
    await worktree.commit('links')
    for (const path of ['link', 'into']) {
      expect(await refusal(worktree.rev(path))).toMatchObject({ code: 'SYMLINK', status: 403 })
      const rev = await worktree.git('rev-parse', `HEAD:${path}`)
      expect(
        await refusal(worktree.apply([{ op: 'write_file', path, text: 'x', expected_rev: rev }])),
      ).toMatchObject({ code: 'SYMLINK' })
    }
    for (const path of ['into/c.txt', 'into/new.txt']) {
      expect(await refusal(worktree.apply([create(path, 'x')]))).toMatchObject({ code: 'SYMLINK' })
    }
    expect(await worktree.text('b.txt')).toBe('b\n')
    await expectClean(worktree)
  })

  test('a file that somebody replaced by a link', async () => {
    await rm(join(worktree.path, 'b.txt'))
    await symlink('a.txt', join(worktree.path, 'b.txt'))
    const rev = await worktree.git('rev-parse', 'HEAD:b.txt')
    expect(
      await refusal(
        worktree.apply([{ op: 'append_lines', path: 'b.txt', text: 'x', expected_rev: rev }]),
      ),
    ).toMatchObject({ code: 'SYMLINK' })
    expect(readFileSync(join(worktree.path, 'a.txt'), 'utf8')).toBe('a\n')
  })

  test('a directory that somebody replaced by a link out of the worktree', async () => {
    await rm(join(worktree.path, 'd'), { recursive: true })
    await symlink(repository.path, join(worktree.path, 'd'))
    expect(await refusal(worktree.apply([create('d/escaped.txt', 'x')]))).toMatchObject({
      code: 'SYMLINK',
    })
    expect(await refusal(worktree.rev('d/a.txt'))).toMatchObject({ code: 'SYMLINK' })
    expect(existsSync(join(repository.path, 'escaped.txt'))).toBe(false)
  })

  test('a FIFO', async () => {
    execFileSync('mkfifo', [join(worktree.path, 'pipe')])
    expect(await refusal(worktree.rev('pipe'))).toMatchObject({ code: 'NOT_REGULAR' })
    expect(await refusal(worktree.apply([create('pipe', 'x')]))).toMatchObject({
      code: 'NOT_REGULAR',
    })
    expect(await refusal(worktree.apply([create('pipe/x', 'x')]))).toMatchObject({
      code: 'NOT_REGULAR',
    })
    await rm(join(worktree.path, 'pipe'))
  })

  test('a submodule and what lies in it', async () => {
    const commit = await worktree.git('rev-parse', 'HEAD')
    await worktree.git('update-index', '--add', '--cacheinfo', `160000,${commit},sub`)
    await worktree.git('commit', '--quiet', '-m', 'a submodule')
    mkdirSync(join(worktree.path, 'sub'))
    expect(await refusal(worktree.rev('sub'))).toMatchObject({ code: 'NOT_REGULAR', status: 422 })
    expect(await refusal(worktree.rev('sub/x.txt'))).toMatchObject({
      code: 'NOT_REGULAR',
      submodule: 'sub',
    })
    for (const edit of [
      create('sub/x.txt', 'x'),
      { op: 'delete_file', path: 'sub', expected_rev: commit },
      { op: 'write_file', path: 'sub', text: 'x', expected_rev: commit },
    ] as const) {
      expect(await refusal(worktree.apply([edit]))).toMatchObject({ code: 'NOT_REGULAR' })
    }
    await worktree.replace('b.txt', 'b', 'B')
    await worktree.apply([create('n', 'n')])
    await expectClean(worktree)
    await worktree.git('reset', '--quiet', '--hard', base)
    await rm(join(worktree.path, 'sub'), { recursive: true, force: true })
  })
})
