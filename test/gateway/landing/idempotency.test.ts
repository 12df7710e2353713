import { beforeAll, expect, test } from 'vitest'
import type { EditInput } from '#src/edit/ops/parse-edit.js'
import {
  create,
  expectClean,
  openGateway,
  refusal,
  type TestWorktree,
} from '../../support/gateway.js'
import { makeRepository, type TestRepository } from '../../support/repository.js'

let repository: TestRepository
let worktree: TestWorktree
beforeAll(async () => {
  repository = await makeRepository({ 'a.txt': 'a\n', 'b.txt': 'b\n' })
  worktree = await (await openGateway(repository)).open('keyed')
})

const commits = (): Promise<string> => worktree.git('rev-list', '--count', 'HEAD')

test('the same key and batch answer the first receipt, though the file has moved on', async () => {
  const edits: readonly EditInput[] = [
    { op: 'append_lines', path: 'a.txt', text: 'x', expected_rev: await worktree.rev('a.txt') },
  ]
  const first = await worktree.apply(edits, { key: 'one' })
  await worktree.replace('a.txt', 'x', 'y')
  const before = await commits()
  expect(await worktree.apply(edits, { key: 'one' })).toEqual(first)
  expect(await commits()).toBe(before)
  expect((await worktree.worktree.log({})).batches[1]).toMatchObject({ key: 'one' })
})

test('also with outside changes on the way', async () => {
  await worktree.write('b.txt', 'by hand\n')
  const edits: readonly EditInput[] = [
    { op: 'append_lines', path: 'b.txt', text: 'x', expected_rev: await worktree.rev('b.txt') },
  ]
  const first = await worktree.apply(edits, { key: 'outside' })
  expect(await worktree.apply(edits, { key: 'outside' })).toEqual(first)
})

test('another batch under the key is refused', async () => {
  const first = await worktree.apply([create('k1', '1')], { key: 'two' })
  const before = await commits()
  expect(await refusal(worktree.apply([create('k2', '2')], { key: 'two' }))).toMatchObject({
    code: 'KEY_REUSED',
    status: 422,
    commit: first.commit,
  })
  expect(await commits()).toBe(before)
  await expectClean(worktree)
})

test('a gateway that starts later knows the key', async () => {
  const edits = [create('later', '1')]
  const first = await worktree.apply(edits, { key: 'three' })
  await worktree.apply([create('in-between', '1')])
  const later = await (await openGateway(repository)).open('keyed')
  expect(await later.apply(edits, { key: 'three' })).toEqual(first)
  expect(await refusal(later.apply([create('x', 'x')], { key: 'three' }))).toMatchObject({
    code: 'KEY_REUSED',
  })
})

test("also where the user's git reads patterns in another way", async () => {
  const options = { trustConfig: true }
  const other = await makeRepository(
    { 'a.txt': 'a\n' },
    { config: { 'grep.patternType': 'fixed' } },
  )
  const edits = [create('fixed', '1')]
  const first = await (await (await openGateway(other, options)).open('x')).apply(edits, {
    key: 'k',
  })
  const later = await (await openGateway(other, options)).open('x')
  expect(await later.apply(edits, { key: 'k' })).toEqual(first)
})

test('two gateways at once make one commit', async () => {
  const later = await (await openGateway(repository)).open('keyed')
  const edits = [create('both', '1')]
  const receipts = await Promise.all([
    worktree.apply(edits, { key: 'both' }),
    later.apply(edits, { key: 'both' }),
  ])
  expect(new Set(receipts.map(({ commit }) => commit)).size).toBe(1)
  await expectClean(worktree)
})

test('two at once: one commit, the other is told to ask again', async () => {
  const before = Number(await commits())
  const edits = [create('twice', '1')]
  const ends = await Promise.allSettled([
    worktree.apply(edits, { key: 'four' }),
    worktree.apply(edits, { key: 'four' }),
  ])
  expect(ends).toMatchObject([
    { status: 'fulfilled' },
    { status: 'rejected', reason: { code: 'KEY_IN_FLIGHT', status: 409 } },
  ])
  expect(Number(await commits())).toBe(before + 1)
  expect(await worktree.apply(edits, { key: 'four' })).toMatchObject({ already_applied: false })
  await expectClean(worktree)
})

test('a refused batch leaves its key free', async () => {
  expect(await refusal(worktree.apply([create('a.txt', 'x')], { key: 'five' }))).toMatchObject({
    code: 'PATH_EXISTS',
  })
  await worktree.apply([create('five', '5')], { key: 'five' })
})

test('a dry run takes no key', async () => {
  await worktree.apply([create('six', '6')], { key: 'six', dryRun: true })
  expect((await worktree.apply([create('seven', '7')], { key: 'six' })).commit).not.toBeNull()
})

test.each(['', ' ', 'a b', 'ä', 'a\n', 'x'.repeat(201)])('%j is no key', async key => {
  expect(
    await refusal(Promise.resolve().then(() => worktree.apply([create('x', 'x')], { key }))),
  ).toMatchObject({ code: 'INVALID_ARGUMENTS' })
})

test('a revert has a key too', async () => {
  const { commit } = await worktree.apply([create('undone', '1')])
  const first = await worktree.worktree.revert(commit ?? '', { key: 'revert' })
  expect(await worktree.worktree.revert(commit ?? '', { key: 'revert' })).toEqual(first)
})

test('a key of commits that are no longer on the branch is forgotten', async () => {
  const head = await worktree.git('rev-parse', 'HEAD')
  const edits = [create('dropped', '1')]
  await worktree.apply(edits, { key: 'dropped' })
  expect(await worktree.apply(edits, { key: 'dropped' })).toMatchObject({ dry_run: false })
  await worktree.git('reset', '--quiet', '--hard', head)
  const { commit } = await worktree.apply(edits, { key: 'dropped' })
  expect(await worktree.git('rev-parse', 'HEAD')).toBe(commit)
  await expectClean(worktree)
})
