import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  create,
  expectClean,
  openGateway,
  refusal,
  type TestGateway,
  type TestWorktree,
} from '../support/gateway.js'
import { makeRepository, type TestRepository } from '../support/repository.js'

let repository: TestRepository
let served: TestGateway
let worktree: TestWorktree
let base: string
beforeAll(async () => {
  repository = await makeRepository({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'd/c.txt': 'c\n' })
  served = await openGateway(repository)
  worktree = await served.open('shared')
  base = worktree.opened.head
})
beforeEach(async () => {
  await worktree.git('reset', '--quiet', '--hard', base)
})

const show = (name: string): Promise<string> => worktree.git('show', name)

describe("the user's own commit after a batch", () => {
  const edits: readonly (readonly [string, () => Promise<unknown>, string, string])[] = [
    ['an edit', () => worktree.replace('a.txt', 'a', 'A'), 'HEAD:a.txt', 'A'],
    ['a creation', () => worktree.apply([create('n/n.txt', 'n\n')]), 'HEAD:n/n.txt', 'n'],
    [
      'a move',
      async () =>
        worktree.apply([
          {
            op: 'move_file',
            path: 'b.txt',
            to: 'd/b.txt',
            expected_rev: await worktree.rev('b.txt'),
          },
        ]),
      'HEAD:d/b.txt',
      'b',
    ],
  ]

  test.each(edits)('commit -a takes nothing back: %s', async (_, edit, name, content) => {
    await edit()
    await worktree.git('commit', '--quiet', '--all', '--allow-empty', '-m', 'mine')
    expect(await show(name)).toBe(content)
    expect(await worktree.git('diff', '--name-only', 'HEAD~1')).toBe('')
    await expectClean(worktree)
  })

  test('commit -a after a deletion does not bring the file back', async () => {
    const rev = await worktree.rev('d/c.txt')
    await worktree.apply([{ op: 'delete_file', path: 'd/c.txt', expected_rev: rev }])
    await worktree.git('commit', '--quiet', '--all', '--allow-empty', '-m', 'mine')
    expect(await worktree.git('ls-tree', '-r', '--name-only', 'HEAD')).toBe('a.txt\nb.txt')
  })

  test('what the user had staged is committed, and only that', async () => {
    await worktree.write('b.txt', 'staged\n')
    await worktree.git('add', 'b.txt')
    await worktree.replace('a.txt', 'a', 'A')
    await worktree.replace('d/c.txt', 'c', 'C')
    await worktree.git('commit', '--quiet', '-m', 'mine')
    expect(await worktree.git('diff', '--name-only', 'HEAD~1')).toBe('b.txt')
    expect(await worktree.git('show', 'HEAD:a.txt', 'HEAD:b.txt', 'HEAD:d/c.txt')).toBe(
      'A\nstaged\nC',
    )
    await expectClean(worktree)
  })

  test('an edit in the same second is seen', async () => {
    await worktree.replace('a.txt', 'a', 'A')
    await worktree.write('a.txt', 'B\n')
    expect(await worktree.git('status', '--porcelain')).toBe('M a.txt')
    await worktree.git('commit', '--quiet', '--all', '-m', 'mine')
    expect(await show('HEAD:a.txt')).toBe('B')
    await expectClean(worktree)
  })

  test('amending a batch keeps what it did', async () => {
    await worktree.replace('a.txt', 'a', 'A')
    await worktree.git('commit', '--quiet', '--amend', '-m', 'reworded')
    expect(await show('HEAD:a.txt')).toBe('A')
    await worktree.replace('a.txt', 'A', 'AA')
    await expectClean(worktree)
  })
})

describe("a batch after the user's own", () => {
  test('commit', async () => {
    await worktree.write('a.txt', 'mine\n')
    const mine = await worktree.commit('mine')
    const { parent } = await worktree.replace('b.txt', 'b', 'B')
    expect(parent).toBe(mine)
    expect(await worktree.git('show', 'HEAD:a.txt', 'HEAD:b.txt')).toBe('mine\nB')
    await expectClean(worktree)
  })

  test('stash, and its return', async () => {
    await worktree.write('a.txt', 'stashed\n')
    await worktree.git('stash', '--quiet')
    await worktree.replace('b.txt', 'b', 'B')
    await worktree.git('stash', 'pop', '--quiet')
    expect(await worktree.git('status', '--porcelain')).toBe('M a.txt')
    await worktree.replace('a.txt', 'stashed', 'and edited')
    await expectClean(worktree)
  })

  test('rebase onto another branch', async () => {
    await worktree.replace('a.txt', 'a', 'A')
    await repository.write('m.txt', 'm\n')
    await repository.commit('on main')
    await worktree.git('rebase', '--quiet', 'main')
    await worktree.replace('b.txt', 'b', 'B')
    expect(await worktree.git('log', '--format=%s', 'main..')).toBe('Edit b.txt\nEdit a.txt')
    await expectClean(worktree)
    await repository.git('reset', '--quiet', '--hard', base)
  })

  test('merge', async () => {
    await worktree.replace('a.txt', 'a', 'A')
    await repository.write('m.txt', 'm\n')
    await repository.commit('on main')
    await worktree.git('merge', '--quiet', '--no-edit', 'main')
    await worktree.replace('b.txt', 'b', 'B')
    await expectClean(worktree)
    await repository.git('reset', '--quiet', '--hard', base)
  })
})

describe('gc between batches', () => {
  test('with everything packed and pruned', async () => {
    const first = await worktree.replace('a.txt', 'a', 'A')
    await repository.git('gc', '--quiet', '--prune=now')
    await repository.git('pack-refs', '--all', '--prune')
    expect(await worktree.text('a.txt')).toBe('A\n')
    const second = await worktree.replace('a.txt', 'A', 'AA')
    expect(second.parent).toBe(first.commit)
    await worktree.apply([create('n/n.txt', 'n\n')])
    await expectClean(worktree)
    const { commit } = await worktree.worktree.revert(first.commit ?? '').catch(() => second)
    expect(commit).not.toBeNull()
    expect((await worktree.worktree.log({})).batches.at(-1)?.commit).toBe(first.commit)
  })

  test('with the reflog gone, an object that comes back is written again', async () => {
    await worktree.replace('a.txt', 'a', 'again and again')
    const blob = await worktree.git('rev-parse', 'HEAD:a.txt')
    await worktree.git('reset', '--quiet', '--hard', base)
    await repository.git('reflog', 'expire', '--expire=now', '--all')
    await worktree.git('reflog', 'expire', '--expire=now', '--all')
    await repository.git('gc', '--quiet', '--prune=now')
    expect(await repository.git('cat-file', '-e', blob).catch(() => 'pruned')).toBe('pruned')
    await worktree.replace('a.txt', 'a', 'again and again')
    expect(await worktree.git('rev-parse', 'HEAD:a.txt')).toBe(blob)
    await expectClean(worktree)
  })

  test('worktree refs and the base survive it', async () => {
    await worktree.replace('a.txt', 'a', 'A')
    await worktree.worktree.unreported({ mark: true })
    await repository.git('gc', '--quiet', '--prune=now')
    const later = await (await openGateway(repository)).open('shared')
    expect(later.opened).toMatchObject({ base, reported: later.opened.head })
  })
})

test('a clone, a worktree and a fetch of the user see ordinary commits', async () => {
  const { commit } = await worktree.replace('a.txt', 'a', 'A')
  const clone = `${repository.path}-clone`
  await promisify(execFile)('git', [
    'clone',
    '--quiet',
    '-b',
    'agent/shared',
    repository.path,
    clone,
  ])
  expect(readFileSync(join(clone, 'a.txt'), 'utf8')).toBe('A\n')
  expect(await repository.git('branch', '--contains', commit ?? '')).toContain('agent/shared')
  await repository.git('fsck', '--strict', '--no-dangling')
})

test('the main checkout is never touched', async () => {
  await repository.write('a.txt', 'in the main checkout\n')
  const before = await repository.git('status', '--porcelain')
  await worktree.replace('a.txt', 'a', 'A')
  await worktree.apply([create('n.txt', 'n\n')])
  expect(await repository.git('status', '--porcelain')).toBe(before)
  expect(await repository.git('rev-parse', 'HEAD')).toBe(base)
  await repository.git('checkout', '--quiet', '.')
})

test('two agents do not see each other', async () => {
  const other = await served.open('other')
  await Promise.all([worktree.replace('a.txt', 'a', 'one'), other.replace('a.txt', 'a', 'two')])
  expect([await worktree.text('a.txt'), await other.text('a.txt')]).toEqual(['one\n', 'two\n'])
  await expectClean(worktree)
  await expectClean(other)
})

test('one gateway may end while another works', async () => {
  const [first, second] = [await openGateway(repository), await openGateway(repository)]
  const [one, two] = [await first.open('one'), await second.open('two')]
  await one.replace('a.txt', 'a', 'A')
  const working = Promise.all([
    two.apply([create('n1.txt', '1\n')]),
    two.worktree.state(),
    two.worktree.files({}),
    two.worktree.log({}),
  ])
  await first.gateway.close()
  await working
  await two.apply([create('n2.txt', '2\n')])
  await expectClean(two)
})

test('a gateway that was closed refuses or fails, but writes nothing', async () => {
  const closing = await openGateway(repository)
  const late = await closing.open('closing')
  const head = await late.git('rev-parse', 'HEAD')
  const landing = late.apply([create('n.txt', 'n\n')])
  await closing.gateway.close()
  const { commit } = await landing
  expect(await late.git('rev-parse', 'HEAD')).toBe(commit)
  expect(commit).not.toBe(head)
  await expectClean(late)
  expect(await refusal(closing.gateway.worktree('nobody'))).toMatchObject({ code: 'NOT_FOUND' })
})
