import { spawn } from 'node:child_process'
import { existsSync, linkSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { create, expectClean, openGateway, refusal, type TestWorktree } from '../support/gateway.js'
import { makeRepository } from '../support/repository.js'

const files = { 'a.txt': 'a\n' }

async function openWorktree(): Promise<TestWorktree & { readonly gitDir: string }> {
  const { open } = await openGateway(await makeRepository(files))
  const worktree = await open('alice')
  return { ...worktree, gitDir: await worktree.git('rev-parse', '--absolute-git-dir') }
}

// A lock that stays is a case of test/gateway/guards.test.ts.
test("CONC-2: somebody's lock is waited for, and reading needs none", async () => {
  const worktree = await openWorktree()
  const lock = join(worktree.gitDir, 'index.lock')
  writeFileSync(lock, 'of git')
  const landing = worktree.apply([create('n', 'n\n')])
  expect(await worktree.text('a.txt')).toBe('a\n')
  expect([existsSync(lock), existsSync(join(worktree.path, 'n'))]).toEqual([true, false])
  rmSync(lock)
  expect((await landing).commit).toBeTruthy()
  await expectClean(worktree)
})

test('CONC-3: asking for the state again and again disturbs no commit of the user', async () => {
  const worktree = await openWorktree()
  const counts = { commits: 0, failed: 0, asked: 0 }
  let isDone = false
  const ask = async (): Promise<void> => {
    while (!isDone) {
      await worktree.worktree.state()
      await worktree.worktree.files({})
      await worktree.text('a.txt')
      counts.asked += 1
    }
  }
  const commit = async (): Promise<void> => {
    for (let round = 0; round < 40; round += 1) {
      await worktree.write('mine.txt', `${round}\n`)
      await worktree.commit(`mine ${round}`).then(
        () => {
          counts.commits += 1
        },
        () => {
          counts.failed += 1
        },
      )
    }
    isDone = true
  }
  await Promise.all([ask(), commit()])
  console.info('beside commits of the user:', counts)
  expect(counts).toMatchObject({ commits: 40, failed: 0 })
  expect(counts.asked).toBeGreaterThan(0)
  await expectClean(worktree)
})

describe('CRASH-4: a lock of ours whose owner has ended is freed, any other is kept', () => {
  /** A record as another process of ours would have written it, changed in one field. */
  async function leave(change: Readonly<Record<string, unknown>>) {
    const worktree = await openWorktree()
    await worktree.apply([create('first', 'x\n')])
    const own = join(worktree.gitDir, 'editlatch')
    const ended = spawn(process.execPath, ['-e', ''])
    await new Promise(resolve => ended.on('close', resolve))
    const now = worktree.worktree.checkout.owner
    const { path: _path, restore: _restore, ...record } = now
    const nonce = 'ab'.repeat(8)
    const left = { ...record, pid: ended.pid, nonce, ...change }
    const path = join(own, `owner-${left.pid}-${nonce}`)
    writeFileSync(path, `${JSON.stringify(left)}\n`)
    const lock = join(worktree.gitDir, 'index.lock')
    linkSync(path, lock)
    return { worktree, lock, path }
  }

  test.each([
    ['a process that has ended', {}],
    ['a process of an earlier boot', { boot: 'another', pid: process.pid }],
    ['a pid that belongs to a later process', { start: '1', pid: process.pid }],
  ])('%s', async (_, change) => {
    const { worktree, lock, path } = await leave(change)
    expect((await worktree.apply([create('n', 'n\n')])).commit).toBeTruthy()
    expect([existsSync(lock), existsSync(path)]).toEqual([false, false])
    await expectClean(worktree)
  })

  test('what may still live, or cannot be looked up, is kept', async () => {
    const changes = [{ pid: process.pid }, { machine: 'another' }, { namespace: 'pid:[1]' }]
    const left = await Promise.all(changes.map(leave))
    // Each waits as long as a batch waits for a lock, so all of them wait at once.
    const codes = await Promise.all(
      left.map(async ({ worktree }) => (await refusal(worktree.apply([create('n', 'n')]))).code),
    )
    expect(codes).toEqual(['LOCKED', 'LOCKED', 'LOCKED'])
    const kept = left.map(({ lock, path }) => [existsSync(lock), existsSync(path)])
    expect(kept.flat()).toEqual(Array(6).fill(true))
  })
})
