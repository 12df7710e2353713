import { expect, test } from 'vitest'
import { Refusal } from '#src/core/errors.js'
import { fixedLimits } from '#src/core/limits.js'
import { seededRandom } from '../support/random.js'
import { applyText, type Files } from './dialects/patched.js'
import { type EditJson, refusal, run } from './sandbox.js'

const path = 'f.ts'
const text = [
  'import { one } from "one"',
  '',
  'export function first(value) {',
  '  return one(value)',
  '}',
  '',
  'export function second(value) {',
  '  return one(value, 2)',
  '}',
  '',
].join('\n')

const replace = (find: string, young = 'new'): EditJson => ({
  op: 'replace_text',
  path,
  find,
  replace: young,
})
const firstMiss = replace('first(value) {\n  return two(value)', 'third()')
const secondMiss = replace('second(value) {\n  return two(value, 2)', 'fourth()')
const lines = (start: number, end: number): EditJson => ({
  op: 'delete_lines',
  path,
  start_line: start,
  end_line: end,
})

/** The places of the edits that a refusal tells of, with what each was refused for. */
async function told(work: () => Promise<unknown>): Promise<readonly string[]> {
  const { code, index, failures } = await refusal(work)
  const all = (failures ?? [{ code, index }]) as readonly { code: string; index: number }[]
  return all.map(one => `${one.index} ${one.code}`)
}

const miss = '0 ZERO_MATCHES'

test.each<[string, readonly EditJson[], readonly string[]]>([
  ['two that are meant for other places', [firstMiss, secondMiss], [miss, '1 ZERO_MATCHES']],
  ['two that are meant for the same place', [firstMiss, firstMiss], [miss]],
  [
    'one that speaks of what the first would have put in',
    [firstMiss, replace('third()\n  x()')],
    [miss],
  ],
  [
    'one that speaks of lines that the first knows',
    [firstMiss, replace('first(value)\n  return 9')],
    [miss],
  ],
  ['one that is like nothing', [firstMiss, replace('zzz')], [miss, '1 ZERO_MATCHES']],
  ['one that is right', [firstMiss, replace('import', 'export')], [miss]],
  ['one that is ambiguous elsewhere', [firstMiss, replace('"')], [miss, '1 AMBIGUOUS_MATCH']],
  [
    'one of which the first would have taken a place away',
    [firstMiss, replace('(value) {')],
    [miss],
  ],
  ['line numbers past the end', [firstMiss, lines(50, 50)], [miss, '1 OUT_OF_RANGE']],
  [
    'lines that another edit has changed',
    [firstMiss, lines(1, 2), lines(2, 2)],
    [miss, '2 OVERLAPPING_EDITS'],
  ],
  [
    'a placeholder',
    [firstMiss, replace('second', '// ... existing code ...')],
    [miss, '1 SUSPECT_TEXT'],
  ],
  [
    'a move of the file, and what follows on it',
    [firstMiss, { op: 'move_file', path, to: 'g' }, secondMiss],
    [miss],
  ],
])('after an edit that is missed: %s', async (_, edits, expected) => {
  expect(await told(() => run({ [path]: text }, edits))).toEqual(expected)
})

test('where the first is refused for its file, nothing else is told of that file', async () => {
  const edits = [{ ...firstMiss, expected_rev: '0'.repeat(40) }, secondMiss]
  expect(await told(() => run({ [path]: text }, edits))).toEqual(['0 CONTENT_REV_CONFLICT'])
})

const twins: Files = { f: 'a\nb\na\nb\nc\n' }

const v4a = (...hunks: readonly string[]): string =>
  ['*** Begin Patch', '*** Update File: f', ...hunks, '*** End Patch', ''].join('\n')
const diff = (...hunks: readonly string[]): string => ['--- f', '+++ f', ...hunks, ''].join('\n')

test.each([
  ['apply_patch', v4a('@@', '-x', '+y', '@@', '-c', '+d', '@@', '-z', '+y'), [1, 3]],
  ['apply_patch', v4a('@@ no', '-c', '+y', '@@', '-z', '+y'), [1, 2]],
  // The first might have said below which place the second one stands.
  ['apply_patch', v4a('@@', '-x', '+y', '@@', '-a', '+y'), [1]],
  ['apply_patch', v4a('@@', '-a', '+y', '@@', '-b', '+y', '@@', '-z', '+y'), [1, 3]],
  ['unified_diff', diff('@@ -1 +1 @@', '-x', '+y', '@@ -5 +5 @@', '-z', '+y'), [1, 2]],
  ['unified_diff', diff('@@ -5 +5 @@', '-x', '+y', '@@ -2 +2 @@', '-a', '+y'), [1]],
] as const)(
  'hunks of %s that are missed are all told, and no others: %j',
  async (dialect, patch, expected) => {
    const { hunk, failures } = await refusal(() => applyText(twins, patch, { dialect }))
    const all = (failures ?? [{ hunk }]) as readonly { hunk: number }[]
    expect(all.map(one => one.hunk)).toEqual(expected)
  },
)

test('a long list of failures is cut', async () => {
  const hunks = Array.from({ length: 30 }, (_, at) => ['@@', `-none ${at}`, `+some ${at}`]).flat()
  const edits = Array.from({ length: 30 }, (_, at) => replace(`none ${at}`))
  for (const work of [
    () => applyText(twins, v4a(...hunks), { dialect: 'apply_patch' }),
    () => run({ [path]: text }, edits),
  ]) {
    const { failures, more_failures } = await refusal(work)
    expect([failures, more_failures]).toMatchObject([{ length: fixedLimits.toldFailures }, true])
  }
})

test('what is told beside a missed edit still fails once that is put right', async () => {
  const { int, pick } = seededRandom(20)
  const counts = { told: 0, mended: 0 }
  for (let round = 0; round < 600; round += 1) {
    const all = Array.from({ length: 6 + int(0, 14) }, () => `${pick(words)}(${int(0, 4)})`)
    const file = `${all.join('\n')}\n`
    const take = (): string[] => {
      const start = int(0, all.length)
      return all.slice(start, start + 1 + int(0, 3))
    }
    const edits = Array.from({ length: 2 }, () => {
      const wanted = int(0, 4) === 0 ? take() : [...take(), `${pick(words)}(${int(0, 9)})`]
      return replace(wanted.join('\n'), take().join('\n'))
    })
    const { index, candidates, failures } = await refusalOr(edits, file)
    const [nearest] = (candidates ?? []) as readonly { start_line: number; end_line: number }[]
    if (nearest === undefined || !Array.isArray(failures)) continue
    counts.told += failures.length - 1
    const found = all.slice(nearest.start_line - 1, nearest.end_line).join('\n')
    const first = { ...edits[index as number], path, find: found }
    const mended = edits.with(index as number, first)
    const alone = await refusalOr([first], file)
    if (alone.code !== undefined) continue
    counts.mended += 1
    const later = failures.slice(1).map(one => `${one.index} ${one.code}`)
    const now = await refusalOr(mended, file)
    expect(`${now.index} ${now.code}`, JSON.stringify({ file, edits, mended })).toBe(later.join())
  }
  console.log(`${counts.told} told beside another, ${counts.mended} batches mended`)
  expect(counts.mended).toBeGreaterThan(50)
})

const words = ['open', 'close', 'read', 'write', 'seek', 'flush']

/** The refusal of edits, or nothing where they are done. */
async function refusalOr(
  edits: readonly EditJson[],
  file: string,
): Promise<Record<string, unknown>> {
  try {
    await run({ [path]: file }, edits)
    return {}
  } catch (error) {
    if (error instanceof Refusal) return { code: error.code, ...error.data }
    throw error
  }
}
