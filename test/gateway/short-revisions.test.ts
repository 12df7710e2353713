import { expect, test } from 'vitest'
import { openGateway, refusal } from '../support/gateway.js'
import { makeRepository } from '../support/repository.js'

const repository = await makeRepository({ a: 'one\n', b: 'two\n' })
const served = await openGateway(repository)
const alice = await served.open('alice')

const change = (expected_rev: string, replace: string) => ({
  op: 'replace_text' as const,
  path: 'a',
  expected_rev,
  find: /^o/.test(replace) ? 'ONE' : 'one',
  replace,
})

test('the first twelve digits of a revision are enough, of a commit too', async () => {
  const rev = await alice.rev('a')
  const { commit, files } = await alice.apply([change(rev.slice(0, 12), 'ONE')])
  expect(files[0]).toMatchObject({ before_rev: rev, after_rev: await alice.rev('a') })
  const short = String(commit).slice(0, 12)
  expect((await alice.worktree.batch(short)).commit).toBe(commit)
  expect((await alice.worktree.unreported({ since: short })).from).toBe(commit)
  await alice.worktree.revert(short)
  expect(await alice.text('a')).toBe('one\n')
})

test('those of what was changed outside and is in no commit yet are, too', async () => {
  await alice.write('a', 'one more\n')
  const rev = await alice.rev('a')
  await alice.apply([change(rev.slice(0, 20), 'ONE')])
  expect(await alice.text('a')).toBe('ONE more\n')
})

test.each([
  [11, 'INVALID_ARGUMENTS'],
  [12, 'CONTENT_REV_CONFLICT'],
  [40, 'CONTENT_REV_CONFLICT'],
])('%s digits of an older revision', async (digits, code) => {
  const old = await repository.git('rev-parse', 'main:a')
  const applied = async () => alice.apply([change(old.slice(0, digits), 'x')])
  const told = await refusal(applied())
  expect(told).toMatchObject(
    digits < 12 ? { code } : { code, expected: old, patch: expect.stringContaining('+ONE more') },
  )
})

test.each([
  ['nobody knows', 'ab'.repeat(6)],
  ['belong to no blob', 'commit'],
])('digits that %s are a conflict', async (_, said) => {
  const digits = said === 'commit' ? (await repository.git('rev-parse', 'main')).slice(0, 12) : said
  expect(await refusal(alice.apply([change(digits, 'x')]))).toMatchObject({
    code: 'CONTENT_REV_CONFLICT',
    expected: digits,
    actual: await alice.rev('a'),
  })
})

test('digits that many commits begin with, or none of this branch, name none', async () => {
  for (const commit of ['ab'.repeat(6), (await repository.git('rev-parse', 'main')).slice(0, 12)]) {
    expect(await refusal(alice.worktree.batch(commit))).toMatchObject({ code: 'NOT_FOUND' })
  }
})
