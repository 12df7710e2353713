import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type FencedMessage, readEditFences } from '#src/formats/text/edit-fences.js'
import { seededRandom } from '../../support/random.js'

/** One message and what it says: its edits, or the codes of all that is wrong. */
interface FenceCase {
  readonly id: string
  readonly title: string
  readonly message: string
  readonly expect: {
    readonly refused: boolean
    readonly edits: readonly unknown[]
    readonly bodies: readonly unknown[]
    readonly errors: readonly string[]
    readonly flags: readonly string[]
  }
}

const file = new URL('fences/cases.jsonl', import.meta.url)
const cases = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map((line): FenceCase => JSON.parse(line))

test('there are 38 cases', () => expect(cases).toHaveLength(38))

test.each(cases.map(one => [one.id, one.title, one] as const))('%s: %s', (_id, _title, one) => {
  const { refused, edits, bodies, errors, flags } = one.expect
  const read = summary(readEditFences(one.message))
  expect(read).toEqual(
    refused ? { ...read, refused, errors } : { refused, errors: [], edits, bodies, flags },
  )
})

function summary(message: FencedMessage): object {
  const { bodies, flags, problems } = message
  return {
    refused: problems.length > 0,
    errors: problems.map(({ code }) => code),
    edits: plainEdits(message),
    bodies,
    flags,
  }
}

/** The edits without their lines. */
function plainEdits({ edits }: FencedMessage): readonly object[] {
  return edits.map(({ file, rev, blocks }) => ({
    file,
    rev,
    blocks: blocks.map(({ search, replace }) => ({ search, replace })),
  }))
}

const block = '<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n'
const fence = `\`\`\`edit:a.ts rev:r1\n${block}\`\`\`\n`
const edit = { file: 'a.ts', rev: 'r1', blocks: [{ search: 'a\n', replace: 'b\n' }] }

test.each([
  ['CRLF breaks lines too', fence.replaceAll('\n', '\r\n'), [edit]],
  ['tildes', fence.replaceAll('```', '~~~'), [edit]],
  ['a fence without a last newline', fence.trimEnd(), [edit]],
  ['a quoted path', fence.replace('a.ts', '"my \\"a\\".ts"'), [{ ...edit, file: 'my "a".ts' }]],
  ['a fence in reasoning', `<think>\n${fence}</think>\n${fence}`, [edit]],
  ['a prompt that opened the reasoning', `hm\n</think>\n${fence}`, [edit]],
  ['prose that names the tag', `Use <think> well.\n${fence}`, [edit]],
  ['no fence at all', 'Just prose.\n', []],
])('%s is read', (_, message, edits) => {
  const read = readEditFences(message)
  expect({ edits: plainEdits(read), problems: read.problems }).toEqual({ edits, problems: [] })
})

test.each([
  ['two separators', fence.replace('b\n', '=======\nb\n'), ['ambiguous_separator', 5]],
  ['an end marker in the text', fence.replace('b\n', '>>>>>>> REPLACE\nb\n'), ['junk_in_fence', 6]],
  ['markers of two lengths', fence.replace('=======', '========'), ['missing_separator', 6]],
  ['an end marker that is longer', fence.replace('>>>>>>>', '>>>>>>>>'), ['block_unclosed', 2]],
  ['a quote', fence.replace(/^/gm, '> ').slice(0, -2), ['fence_not_at_margin', 1]],
  ['a list item', `- ${fence}`, ['fence_not_at_margin', 1]],
  ['reasoning that never ends', `<think>\n${fence}`, ['reasoning_unclosed', 1]],
  ['reasoning whose beginning is lost', `${fence}</think>\n`, ['reasoning_unclosed', 8]],
  ['a fence behind reasoning on its line', `<think></think>${fence}`, ['fence_not_at_margin', 1]],
  ['no path', fence.replace('a.ts ', ''), ['bad_header', 1]],
  ['an empty rev', fence.replace('r1', ''), ['rev_required', 1]],
  ['a capital', fence.replace('edit', 'Edit'), ['bad_header', 1]],
  ['a path in broken quotes', fence.replace('a.ts', '"a.ts'), ['bad_header', 1]],
])('%s is refused', (_, message, [code, line]) => {
  expect(readEditFences(message).problems[0]).toEqual({ code, line })
})

/** What a cut may not change: the fences of the whole message, in order, as far as they go. */
function expectNoOtherEdits(cut: string, whole: FencedMessage): 'refused' | 'whole' {
  const read = readEditFences(cut)
  if (read.problems.length > 0) return 'refused'
  const edits = plainEdits(read)
  expect(edits).toEqual(plainEdits(whole).slice(0, edits.length))
  return 'whole'
}

test('every cut of an accepted message is refused or holds only whole fences', () => {
  const accepted = cases.filter(({ expect: { refused } }) => !refused)
  const counts = { refused: 0, whole: 0 }
  for (const { message } of accepted) {
    const whole = readEditFences(message)
    const bytes = Buffer.from(message)
    for (let length = 0; length < bytes.length; length += 1) {
      counts[expectNoOtherEdits(bytes.subarray(0, length).toString(), whole)] += 1
    }
  }
  console.log(`${accepted.length} messages: ${counts.refused} cuts refused, ${counts.whole} whole`)
  expect(counts.refused).toBeGreaterThan(1_000)
})

test('no order of such lines makes the reader throw or read what is not there', () => {
  const random = seededRandom(4)
  const lines = cases.flatMap(({ message }) => message.split('\n'))
  for (let round = 0; round < 2_000; round += 1) {
    const picked = Array.from({ length: random.int(0, 30) }, () => random.pick(lines))
    const message = picked.join(random.pick(['\n', '\r\n']))
    for (const { blocks } of readEditFences(message).edits) {
      for (const { search, replace } of blocks) {
        expect(message.replaceAll('\r\n', '\n').replace(/^ {1,3}/gm, '')).toContain(
          search.replace(/^ {1,3}/gm, ''),
        )
        expect(replace === '' || replace.endsWith('\n')).toBe(true)
      }
    }
  }
})

test('a long message takes little time', () => {
  const hard = [' '.repeat(200_000), '> '.repeat(100_000), `${'~'.repeat(200_000)} \``]
  const message = `${hard.join('x\n')}\n~~~\n${fence.repeat(2_000)}${`- ${fence}`.repeat(20_000)}`
  expect(readEditFences(message).edits.length).toBeLessThan(2_001)
})
