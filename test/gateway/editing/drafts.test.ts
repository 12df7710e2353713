import { describe, expect, test, vi } from 'vitest'
import type { Answer, Command } from '#src/commands/command.js'
import { draftCommit } from '#src/commands/draft-commit.js'
import { draftWrite } from '#src/commands/draft-write.js'
import { fixedLimits } from '#src/core/limits.js'
import { expectClean, openGateway, refusal } from '../../support/gateway.js'
import { makeRepository } from '../../support/repository.js'

const repository = await makeRepository({ 'a.txt': 'one\ntwo\nthree\n', 'b.txt': 'b\r\n' })
const { gateway, open } = await openGateway(repository)
const alice = await open('alice')
const context = { caller: { kind: 'server' }, signal: new AbortController().signal } as const

type Fields = Readonly<Record<string, unknown>>
type Json = ReturnType<typeof JSON.parse>

const valueIn = (answer: Answer): Json => (answer.kind === 'value' ? answer.value : undefined)

async function ask(command: Command, input: Fields, worktree = 'alice'): Promise<Json> {
  return valueIn(await command.run(gateway, { worktree, ...input }, context))
}

const write = (draft: string, after: number, text: string): Promise<Json> =>
  ask(draftWrite, { draft, after_lines: after, text })

const refs = (): Promise<string> => repository.git('for-each-ref', 'refs/editlatch/drafts/')

test('lines come one piece after another and land as one commit, after which the draft is gone', async () => {
  expect(await write('story', 0, 'first\nsecond\n')).toMatchObject({
    draft: 'story',
    lines: 2,
    bytes: 13,
  })
  expect(await write('story', 2, 'third')).toMatchObject({ lines: 3, bytes: 19 })
  expect(await alice.worktree.state()).toMatchObject({ drafts: [{ draft: 'story', lines: 3 }] })
  const head = await alice.git('rev-parse', 'HEAD')
  const landing = { draft: 'story', path: 'docs/story.md', expected_rev: 'new', op: 'write_file' }
  const receipt = await ask(draftCommit, { ...landing, message: 'Tell a story', intent: 'because' })
  expect(receipt).toMatchObject({
    parent: head,
    files: [{ path: 'docs/story.md', status: 'added' }],
  })
  expect(await alice.git('show', 'HEAD:docs/story.md')).toBe('first\nsecond\nthird')
  expect(await alice.git('log', '-1', '--format=%B')).toContain('Editlatch-Intent: because')
  expect(await alice.worktree.state()).not.toHaveProperty('drafts')
  expect(await refs()).toBe('')
  await expectClean(alice)
})

test.each([
  ['append_lines', {}, 'one\ntwo\nthree\nx\ny\n'],
  ['insert_lines', { line: 2 }, 'one\nx\ny\ntwo\nthree\n'],
  ['replace_lines', { start_line: 1, end_line: 2 }, 'x\ny\nthree\n'],
  ['write_file', {}, 'x\ny\n'],
])('%s puts the text where it says', async (op, place, after) => {
  await write('piece', 0, 'x\ny\n')
  const rev = await alice.rev('a.txt')
  const receipt = await ask(draftCommit, {
    draft: 'piece',
    path: 'a.txt',
    expected_rev: rev,
    op,
    ...place,
  })
  expect(await alice.text('a.txt')).toBe(after)
  await alice.worktree.revert(receipt.commit)
  expect(await alice.text('a.txt')).toBe('one\ntwo\nthree\n')
})

test('lines get the endings of the file', async () => {
  await write('crlf', 0, 'x\n')
  const landing = { draft: 'crlf', path: 'b.txt', expected_rev: await alice.rev('b.txt') }
  await ask(draftCommit, { ...landing, op: 'append_lines' })
  expect(await alice.text('b.txt')).toBe('b\r\nx\r\n')
})

test('a text that no edit may hold at once lands whole', async () => {
  const piece = `${'line of the long text\n'.repeat(4_000)}`
  await write('long', 0, piece)
  await write('long', 4_000, piece)
  const rev = await alice.rev('a.txt')
  await ask(draftCommit, {
    draft: 'long',
    path: 'a.txt',
    expected_rev: rev,
    op: 'insert_lines',
    line: 1,
  })
  expect((await alice.text('a.txt')).length).toBe(2 * piece.length + 'one\ntwo\nthree\n'.length)
})

describe('a draft is refused', () => {
  test('where it does not end where its writer thinks, with how it ends', async () => {
    await write('cut', 0, 'a\nb\nc\nd\n')
    for (const after of [0, 3, 5]) {
      expect(await refusal(write('cut', after, 'x\n'))).toEqual({
        code: 'DRAFT_CONFLICT',
        status: 409,
        draft: 'cut',
        after_lines: after,
        actual_lines: 4,
        last_lines: [
          { line: 2, text: 'b' },
          { line: 3, text: 'c' },
          { line: 4, text: 'd' },
        ],
      })
    }
    expect(await write('cut', 4, 'e\n')).toMatchObject({ lines: 5 })
  })

  test('where there is none of its name', async () => {
    expect(await refusal(write('nothing', 3, 'x\n'))).toMatchObject({
      code: 'NOT_FOUND',
      drafts: ['cut'],
    })
    const landing = { draft: 'nothing', path: 'c.txt', expected_rev: 'new', op: 'write_file' }
    expect(await refusal(ask(draftCommit, landing))).toMatchObject({
      code: 'NOT_FOUND',
      draft: 'nothing',
    })
  })

  test.each(['../x', 'A', 'a.b', 'a/b', '-a', '', 'a b', 'a\n', 'x'.repeat(41)])(
    'under the name %j',
    async name =>
      expect(await refusal(write(name, 0, 'x\n'))).toMatchObject({ code: 'INVALID_ARGUMENTS' }),
  )

  test.each(['', 'a\0b', 'a\ud800'])('with the text %j', async text =>
    expect(await refusal(write('odd', 0, text))).toMatchObject({ code: 'INVALID_ARGUMENTS' }),
  )

  test('by a revision that is not the newest, and is kept', async () => {
    const landing = { draft: 'cut', path: 'a.txt', expected_rev: '0'.repeat(40), op: 'write_file' }
    const head = await alice.git('rev-parse', 'HEAD')
    expect(await refusal(ask(draftCommit, landing))).toMatchObject({ code: 'CONTENT_REV_CONFLICT' })
    const dry = { ...landing, expected_rev: await alice.rev('a.txt'), dry_run: true }
    expect(await ask(draftCommit, dry)).toMatchObject({ commit: null, dry_run: true })
    expect(await alice.git('rev-parse', 'HEAD')).toBe(head)
    expect(await alice.worktree.drafts.list()).toMatchObject([{ draft: 'cut', lines: 5 }])
  })

  test('beyond the bytes of a file and the number that may lie around', async () => {
    const large = 'x'.repeat(gateway.limits.writeBytes - 1)
    await write('large', 0, `${large}\n`)
    expect(await refusal(write('large', 1, 'y\n'))).toMatchObject({
      code: 'TOO_LARGE',
      what: 'draft',
    })
    const { length } = await alice.worktree.drafts.list()
    for (let at = length; at < fixedLimits.drafts; at += 1) await write(`d${at}`, 0, 'x\n')
    expect(await refusal(write('more', 0, 'x\n'))).toMatchObject({
      code: 'TOO_LARGE',
      what: 'drafts',
    })
  })
})

test('without a name it gets one', async () => {
  const { draft } = await ask(draftWrite, { after_lines: 0, text: 'x\n' }, await fresh('nameless'))
  expect(draft).toMatch(/^[0-9a-f]{8}$/)
})

test('the same landing sent again with its key answers the same receipt', async () => {
  const worktree = await fresh('again')
  await ask(draftWrite, { draft: 'd', after_lines: 0, text: 'x\n' }, worktree)
  const landing = {
    draft: 'd',
    path: 'k.txt',
    expected_rev: 'new',
    op: 'write_file',
    idempotency_key: 'k',
  }
  const first = await ask(draftCommit, landing, worktree)
  expect(await ask(draftCommit, landing, worktree)).toMatchObject({ commit: first.commit })
})

test('two that write the same place at the same time: one does, one is told', async () => {
  const worktree = await fresh('race')
  const ways = await Promise.allSettled(
    ['one\n', 'two\n'].map(text => ask(draftWrite, { draft: 'd', after_lines: 0, text }, worktree)),
  )
  expect(ways.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const codes = ways.flatMap(way => (way.status === 'rejected' ? [way.reason.code] : []))
  expect(codes).toEqual(['DRAFT_CONFLICT'])
})

test('what nobody has written to for long is let go, and makes room for another of its name', async () => {
  const worktree = await fresh('late')
  const one = await gateway.worktree(worktree)
  await ask(draftWrite, { draft: 'old', after_lines: 0, text: 'x\n' }, worktree)
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + fixedLimits.draftMs + 2_000)
  try {
    expect(await one.drafts.list()).toEqual([])
    expect(
      await ask(draftWrite, { draft: 'new', after_lines: 0, text: 'y\n' }, worktree),
    ).toMatchObject({ lines: 1 })
    expect((await refs()).split('\n').filter(line => line.includes('/late/'))).toHaveLength(1)
    expect(
      await ask(draftWrite, { draft: 'old', after_lines: 0, text: 'z\n' }, worktree),
    ).toMatchObject({ lines: 1 })
  } finally {
    clock.mockRestore()
  }
})

test('a draft survives every gc, is no work that is missed, and goes with its worktree', async () => {
  const worktree = await fresh('gone')
  await ask(draftWrite, { draft: 'd', after_lines: 0, text: 'kept\n' }, worktree)
  await repository.git('gc', '--quiet', '--prune=now')
  const one = await gateway.worktree(worktree)
  expect(await one.drafts.list()).toMatchObject([{ draft: 'd', lines: 1 }])
  expect(
    await ask(draftWrite, { draft: 'd', after_lines: 1, text: 'more\n' }, worktree),
  ).toMatchObject({ lines: 2 })
  expect(await repository.git('fsck', '--strict', '--no-dangling', '--no-progress')).toBe('')
  await gateway.closeWorktree(worktree, { force: false })
  expect(await refs()).not.toContain('/gone/')
})

test("another agent's drafts are not there", async () => {
  const worktree = await fresh('other')
  expect(await (await gateway.worktree(worktree)).drafts.list()).toEqual([])
})

test('a ref of somebody else below ours is passed over', async () => {
  const worktree = await fresh('planted')
  await repository.git('update-ref', 'refs/editlatch/drafts/planted/evil', 'HEAD')
  expect(await (await gateway.worktree(worktree)).drafts.list()).toEqual([])
  expect(
    await refusal(ask(draftWrite, { draft: 'evil', after_lines: 1, text: 'x\n' }, worktree)),
  ).toMatchObject({
    code: 'NOT_FOUND',
  })
})

/** The id of a worktree that nobody has used. */
async function fresh(agent: string): Promise<string> {
  return (await open(agent)).id
}
