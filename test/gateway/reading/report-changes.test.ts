import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { defaultLimits } from '#src/core/limits.js'
import type { DiffAnswer } from '#src/report/diff-answer.js'
import { create, openGateway, refusal, type TestWorktree } from '../../support/gateway.js'
import { makeRepository, type TestRepository } from '../../support/repository.js'

let repository: TestRepository
let worktree: TestWorktree
let base: string
beforeAll(async () => {
  repository = await makeRepository({
    'a.txt': 'one\ntwo\nthree\n',
    'b.txt': 'b\n',
    'c.txt': 'c\n',
  })
  worktree = await (await openGateway(repository)).open('told')
  base = worktree.opened.head
})
beforeEach(async () => {
  await worktree.git('reset', '--quiet', '--hard', base)
  await worktree.git('update-ref', 'refs/editlatch/reported/told', base)
})

const head = (): Promise<string> => worktree.git('rev-parse', 'HEAD')
const reported = (): Promise<string> => worktree.git('rev-parse', 'refs/editlatch/reported/told')
const paths = ({ files }: DiffAnswer): readonly string[] => files.map(({ path }) => path)

test('nothing is nothing', async () => {
  expect(await worktree.worktree.unreported({})).toEqual({
    from: base,
    to: base,
    files: [],
    summary: 'no files changed',
    unchanged: 0,
    truncated: false,
  })
})

test('a change is told with the patch that git makes', async () => {
  const receipt = await worktree.replace('a.txt', 'two', 'TWO')
  expect(await worktree.worktree.unreported({})).toEqual({
    from: base,
    to: receipt.commit,
    files: receipt.files,
    summary: '1 file changed',
    unchanged: 0,
    truncated: false,
  })
})

test('looking marks nothing, and telling again tells the same', async () => {
  await worktree.replace('a.txt', 'two', 'TWO')
  const first = await worktree.worktree.unreported({})
  await worktree.worktree.state()
  await worktree.worktree.log({})
  expect(await worktree.worktree.unreported({})).toEqual(first)
  expect(await reported()).toBe(base)
})

test('marked, it is not told again; what comes then is, with the number of those before', async () => {
  await worktree.replace('a.txt', 'two', 'TWO')
  await worktree.replace('b.txt', 'b', 'B')
  const first = await worktree.worktree.unreported({ mark: true })
  expect(await reported()).toBe(first.to)
  expect(paths(await worktree.worktree.unreported({}))).toEqual([])
  await worktree.replace('b.txt', 'B', 'BB')
  const second = await worktree.worktree.unreported({})
  expect(second).toMatchObject({
    from: first.to,
    to: await head(),
    files: [{ path: 'b.txt', before_rev: await worktree.git('rev-parse', `${first.to}:b.txt`) }],
    summary: '1 file changed, 1 reported before is unchanged',
    unchanged: 1,
  })
  expect((await worktree.worktree.state()).unreported_commits).toBe(1)
})

test('everything since the base, whatever was reported', async () => {
  await worktree.replace('a.txt', 'two', 'TWO')
  await worktree.worktree.unreported({ mark: true })
  await worktree.replace('b.txt', 'b', 'B')
  const full = await worktree.worktree.unreported({ full: true })
  expect(full).toMatchObject({ from: base, summary: '2 files changed since the base' })
  expect(paths(full)).toEqual(['a.txt', 'b.txt'])
})

test('everything since a commit', async () => {
  const first = await worktree.replace('a.txt', 'two', 'TWO')
  await worktree.replace('b.txt', 'b', 'B')
  const since = await worktree.worktree.unreported({ since: first.commit ?? '' })
  expect(since).toMatchObject({ from: first.commit, unchanged: 1 })
  expect(paths(since)).toEqual(['b.txt'])
})

test.each([
  ['no id', async () => 'HEAD', 'INVALID_ARGUMENTS'],
  ['no commit', () => worktree.rev('a.txt'), 'NOT_FOUND'],
  ['unknown', async () => '1'.repeat(40), 'NOT_FOUND'],
  ["on somebody else's branch", () => elsewhere(), 'NOT_FOUND'],
])('a commit that is %s is refused', async (_, name, code) => {
  const since = await name()
  expect(await refusal(worktree.worktree.unreported({ since }))).toMatchObject({ code })
})

async function elsewhere(): Promise<string> {
  return repository.git('commit-tree', 'HEAD^{tree}', '-p', 'HEAD', '-m', 'elsewhere')
}

test('one file', async () => {
  await worktree.replace('a.txt', 'two', 'TWO')
  await worktree.replace('b.txt', 'b', 'B')
  expect(paths(await worktree.worktree.unreported({ path: 'b.txt' }))).toEqual(['b.txt'])
  expect(paths(await worktree.worktree.unreported({ path: 'none' }))).toEqual([])
})

describe('only a complete answer is marked', () => {
  test('not that of one file', async () => {
    await worktree.replace('a.txt', 'two', 'TWO')
    await worktree.worktree.unreported({ path: 'a.txt', mark: true })
    expect(await reported()).toBe(base)
  })

  test('not one from another commit', async () => {
    const { commit } = await worktree.replace('a.txt', 'two', 'TWO')
    await worktree.replace('b.txt', 'b', 'B')
    await worktree.worktree.unreported({ since: commit ?? '', mark: true })
    expect(await reported()).toBe(base)
  })

  test('not one that was cut', async () => {
    const limits = { ...defaultLimits, patchBytes: 400 }
    const small = await (await openGateway(repository, { limits })).open('cut')
    await small.apply([create('n1', 'x'.repeat(200)), create('n2', 'y'.repeat(200))])
    const answer = await small.worktree.unreported({ mark: true })
    expect(answer).toMatchObject({ truncated: true, next: 'n2' })
    expect(await small.git('rev-parse', 'refs/editlatch/reported/cut')).toBe(base)
  })
})

test('a change that was taken back is not told', async () => {
  const { commit } = await worktree.replace('a.txt', 'two', 'TWO')
  await worktree.worktree.revert(commit ?? '')
  expect(paths(await worktree.worktree.unreported({}))).toEqual([])
})

test('renames, deletions, modes and new files are told as git tells them', async () => {
  await worktree.apply([
    { op: 'move_file', path: 'a.txt', to: 'moved.txt', expected_rev: await worktree.rev('a.txt') },
    { op: 'delete_file', path: 'b.txt', expected_rev: await worktree.rev('b.txt') },
    { op: 'set_mode', path: 'c.txt', executable: true, expected_rev: await worktree.rev('c.txt') },
    create('new.txt', 'new\n'),
  ])
  const { files } = await worktree.worktree.unreported({})
  expect(files.map(({ path, from, status }) => ({ path, from, status }))).toEqual([
    { path: 'b.txt', from: undefined, status: 'deleted' },
    { path: 'c.txt', from: undefined, status: 'modified' },
    { path: 'moved.txt', from: 'a.txt', status: 'renamed' },
    { path: 'new.txt', from: undefined, status: 'added' },
  ])
})

test("the user's own commits are told as well", async () => {
  await worktree.write('b.txt', 'mine\n')
  await worktree.commit('mine')
  expect(paths(await worktree.worktree.unreported({}))).toEqual(['b.txt'])
})

test('when the branch was taken back, what was undone is told', async () => {
  await worktree.replace('a.txt', 'two', 'TWO')
  await worktree.worktree.unreported({ mark: true })
  await worktree.git('reset', '--quiet', '--hard', base)
  const answer = await worktree.worktree.unreported({ mark: true })
  expect(paths(answer)).toEqual(['a.txt'])
  expect(await reported()).toBe(base)
})
