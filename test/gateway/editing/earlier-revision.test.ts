import { beforeAll, expect, test } from 'vitest'
import { openGateway, refusal, type TestWorktree } from '../../support/gateway.js'
import { makeRepository } from '../../support/repository.js'

const first = 'one\ntwo\nthree\n'

let worktree: TestWorktree
let firstRev: string
let secondRev: string
beforeAll(async () => {
  const repository = await makeRepository({ 'a.txt': first, 'b.txt': 'b\n' })
  worktree = await (await openGateway(repository)).open('late')
  firstRev = await worktree.rev('a.txt')
  await worktree.replace('a.txt', 'two', 'second')
  secondRev = await worktree.rev('a.txt')
  await worktree.replace('a.txt', 'three', 'third')
})

const find = async (text: string, path = 'a.txt') =>
  ({
    op: 'replace_text',
    path,
    expected_rev: await worktree.rev(path),
    find: text,
    replace: 'new',
  }) as const

test.each([
  ['the revision before', 'second\nthree', () => secondRev, 1, '-three\n+third\n'],
  ['the base', 'two\nthree', () => firstRev, 2, '-two\n-three\n+second\n+third\n'],
])('a text that %s held is told with the patch since', async (_, text, rev, since, patch) => {
  const answer = await refusal(worktree.apply([await find(text)]))
  expect(answer).toMatchObject({
    code: 'ZERO_MATCHES',
    rev: await worktree.rev('a.txt'),
    earlier_revision: { rev: rev(), changes_since: since, patch: expect.stringContaining(patch) },
  })
})

test.each([
  ['what no revision held', 'never', 'a.txt'],
  ['what another file held', 'two', 'b.txt'],
])('%s is only not found', async (_, text, path) => {
  const answer = await refusal(worktree.apply([await find(text, path)]))
  expect(answer.code).toBe('ZERO_MATCHES')
  expect(answer).not.toHaveProperty('earlier_revision')
})

test('each of several failures is told', async () => {
  const edits = [await find('two\nthree'), await find('never', 'b.txt')]
  expect(await refusal(worktree.apply(edits))).toMatchObject({
    code: 'ZERO_MATCHES',
    path: 'a.txt',
    earlier_revision: { rev: firstRev },
    failures: [{ earlier_revision: { rev: firstRev } }, { path: 'b.txt' }],
  })
})
