import { expect, test } from 'vitest'
import { withClockMoved } from '../support/crash/moved-clock.js'
import { expectClean, openGateway } from '../support/gateway.js'
import { makeRepository } from '../support/repository.js'

const hour = 3_600_000
const moves = [0, -hour, 400 * 24 * hour, -400 * 24 * hour, 0]

test('FAULT-4: a clock that jumps changes no order, no token and no key', async () => {
  const repository = await makeRepository({ 'a.txt': 'first\n' })
  const { gateway, open } = await openGateway(repository)
  const worktree = await open('ada')
  const { token } = worktree.opened
  const commits: string[] = []
  for (const [number, move] of moves.entries()) {
    await withClockMoved(move, async () => {
      expect(gateway.checkToken(token)).toMatchObject({ kind: 'worktree', id: worktree.id })
      const edits = [
        {
          op: 'write_file' as const,
          path: 'a.txt',
          expected_rev: await worktree.rev('a.txt'),
          text: `text ${number}\n`,
        },
      ]
      const key = `key-${number}`
      const { commit } = await worktree.apply(edits, { key })
      expect((await worktree.apply(edits, { key })).commit).toBe(commit)
      commits.push(commit ?? '')
    })
    // The same key after the clock has gone back.
    const log = await worktree.worktree.log({})
    expect(log.batches.map(({ commit }) => commit)).toEqual(commits.toReversed())
  }
  const newestFirst = commits.toReversed()
  const times = (await worktree.git('log', '--format=%ct', `-${commits.length}`)).split('\n')
  // The clock did move: the times in the commits are not in order.
  expect([...times].sort((a, b) => Number(b) - Number(a))).not.toEqual(times)
  expect(
    (await worktree.git('rev-list', `-${commits.length}`, '--topo-order', 'HEAD')).split('\n'),
  ).toEqual(newestFirst)
  const reflog = await worktree.git('reflog', 'show', '--format=%H', worktree.opened.branch)
  expect(reflog.split('\n').slice(0, commits.length)).toEqual(newestFirst)
  const { files } = await worktree.worktree.unreported({ mark: true })
  expect(files.map(({ path }) => path)).toEqual(['a.txt'])
  await expectClean(worktree)
})

test('a key is found whatever the clock says', async () => {
  const repository = await makeRepository({ 'a.txt': 'first\n' })
  const worktree = await (await openGateway(repository)).open('ada')
  const edits = [
    {
      op: 'write_file' as const,
      path: 'a.txt',
      expected_rev: await worktree.rev('a.txt'),
      text: 'second\n',
    },
  ]
  const done = await withClockMoved(400 * 24 * hour, () => worktree.apply(edits, { key: 'one' }))
  for (const move of [-hour, 0, 800 * 24 * hour]) {
    const again = await withClockMoved(move, () => worktree.apply(edits, { key: 'one' }))
    expect(again.commit).toBe(done.commit)
  }
})
