import { beforeAll, beforeEach, expect, test } from 'vitest'
import { expectClean, openGateway, refusal, type TestWorktree } from '../../support/gateway.js'
import { makeRepository } from '../../support/repository.js'

const text = 'one\r\ntwo\nthree\nfour\nfive\nsix\nseven\n'

let worktree: TestWorktree
let base: string
let rev: string
beforeAll(async () => {
  const repository = await makeRepository({
    'a.txt': text,
    'b.txt': 'b\n',
    'binary.bin': 'a\0b\n',
  })
  worktree = await (await openGateway(repository)).open('late')
  base = worktree.opened.head
  rev = await worktree.rev('a.txt')
})
beforeEach(async () => {
  await worktree.git('reset', '--quiet', '--hard', base)
})

const replace = (find: string, by: string, extra: object = {}) =>
  ({ op: 'replace_text', path: 'a.txt', expected_rev: rev, find, replace: by, ...extra }) as const

test('an edit of an older revision is merged with what stands now, and the receipt says so', async () => {
  await worktree.replace('a.txt', 'one\n', 'zero\none\n')
  const before = await worktree.rev('a.txt')
  const receipt = await worktree.apply([replace('six', 'SIX')], { on_conflict: 'rebase' })
  expect(await worktree.text('a.txt')).toBe('zero\r\none\r\ntwo\nthree\nfour\nfive\nSIX\nseven\n')
  expect(receipt.files).toMatchObject([{ path: 'a.txt', before_rev: before, rebased_from: rev }])
  expect(receipt.ops).toMatchObject([
    { level: 'exact', lines: [{ start: 7, end: 7 }], new_lines: [{ start: 7, end: 7 }] },
  ])
  const stored = await worktree.worktree.batch(receipt.commit ?? '')
  // Git names the function around a hunk where we do not.
  const told = (files: typeof receipt.files) => files.map(({ patch: _patch, ...file }) => file)
  expect(told(stored.receipt.files)).toEqual(told(receipt.files))
  expect(stored.receipt.ops).toEqual(receipt.ops)
  await expectClean(worktree)
})

test('expected_head vouches for older revisions too', async () => {
  await worktree.replace('a.txt', 'one\n', 'zero\none\n')
  const { expected_rev: _rev, ...edit } = replace('six', 'SIX')
  const receipt = await worktree.apply([edit], { on_conflict: 'rebase', expected_head: base })
  expect(receipt.files).toMatchObject([{ rebased_from: rev }])
  expect(await worktree.text('a.txt')).toBe('zero\r\none\r\ntwo\nthree\nfour\nfive\nSIX\nseven\n')
})

test('without being asked for it is a conflict as ever', async () => {
  await worktree.replace('a.txt', 'one\n', 'zero\none\n')
  expect(await refusal(worktree.apply([replace('six', 'SIX')]))).toMatchObject({
    code: 'CONTENT_REV_CONFLICT',
    status: 409,
  })
})

test('a file that did not change is not rebased', async () => {
  const receipt = await worktree.apply([replace('six', 'SIX')], { on_conflict: 'rebase' })
  expect(receipt.files[0]).not.toHaveProperty('rebased_from')
})

test('what stands there already is no change', async () => {
  await worktree.apply([replace('six', 'SIX')])
  const again = await worktree.apply([replace('six', 'SIX')], { on_conflict: 'rebase' })
  expect(again).toMatchObject({ commit: null, already_applied: true, files: [] })
})

test.each([
  ['both touched the same line', () => worktree.replace('a.txt', 'six', 'sixth')],
  ['both touched neighbouring lines', () => worktree.replace('a.txt', 'seven', 'last')],
  [
    'the file is gone',
    async () => worktree.apply([{ op: 'delete_file', path: 'a.txt', expected_rev: rev }]),
  ],
])('%s: refused, and nothing is written', async (_, meanwhile) => {
  await meanwhile()
  const head = await worktree.git('rev-parse', 'HEAD')
  const answer = await refusal(worktree.apply([replace('six', 'SIX')], { on_conflict: 'rebase' }))
  expect(['MERGE_CONFLICT', 'CONTENT_REV_CONFLICT']).toContain(answer.code)
  expect(await worktree.git('rev-parse', 'HEAD')).toBe(head)
  await expectClean(worktree)
})

test('a deletion of a file that changed is a conflict', async () => {
  await worktree.replace('a.txt', 'one\n', 'zero\none\n')
  const edit = { op: 'delete_file', path: 'a.txt', expected_rev: rev } as const
  expect(await refusal(worktree.apply([edit], { on_conflict: 'rebase' }))).toMatchObject({
    code: 'MERGE_CONFLICT',
    path: 'a.txt',
    expected: rev,
  })
})

test('a moved file takes what happened to it along', async () => {
  await worktree.replace('a.txt', 'one\n', 'zero\none\n')
  const move = { op: 'move_file', path: 'a.txt', expected_rev: rev, to: 'c.txt' } as const
  const receipt = await worktree.apply([replace('six', 'SIX'), move], { on_conflict: 'rebase' })
  expect(receipt.files).toMatchObject([{ path: 'c.txt', from: 'a.txt', rebased_from: rev }])
  expect(await worktree.text('c.txt')).toBe('zero\r\none\r\ntwo\nthree\nfour\nfive\nSIX\nseven\n')
  await expectClean(worktree)
})

test('a text that the older revision does not hold is not found', async () => {
  await worktree.replace('a.txt', 'one\n', 'zero\none\n')
  expect(
    await refusal(worktree.apply([replace('zero', 'ZERO')], { on_conflict: 'rebase' })),
  ).toMatchObject({
    code: 'ZERO_MATCHES',
    rev: await worktree.rev('a.txt'),
    rebased_from: rev,
  })
})

test('a revision that the file never had is a conflict that tells nothing of it', async () => {
  const foreign = await worktree.rev('b.txt')
  const answer = await refusal(
    worktree.apply([replace('six', 'SIX', { expected_rev: foreign })], { on_conflict: 'rebase' }),
  )
  expect(answer).toMatchObject({ code: 'CONTENT_REV_CONFLICT', expected: foreign })
  expect(answer).not.toHaveProperty('patch')
})

test('other files of the batch land beside it', async () => {
  await worktree.replace('a.txt', 'one\n', 'zero\none\n')
  const other = {
    op: 'append_lines',
    path: 'b.txt',
    expected_rev: await worktree.rev('b.txt'),
    text: 'more',
  } as const
  const receipt = await worktree.apply([replace('six', 'SIX'), other], { on_conflict: 'rebase' })
  expect(receipt.files.map(({ path, rebased_from: from }) => [path, from])).toEqual([
    ['a.txt', rev],
    ['b.txt', undefined],
  ])
  await expectClean(worktree)
})
