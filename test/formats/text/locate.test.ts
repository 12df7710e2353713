import { expect, test } from 'vitest'
import { Refusal } from '#src/core/errors.js'
import type { Wanted } from '#src/formats/text/haystack.js'
import { locate } from '#src/formats/text/locate.js'
import { PieceText } from '#src/formats/text/piece-text.js'
import { openText } from '#src/formats/text/text-file.js'

function open(text: string | readonly number[]): PieceText {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : Uint8Array.from(text)
  const file = openText(bytes)
  if (file === undefined) throw new Error('not text')
  return PieceText.of(file)
}

function refused(text: string | readonly number[], wanted: Wanted): Record<string, unknown> {
  try {
    locate(open(text), wanted)
  } catch (error) {
    if (error instanceof Refusal) return { code: error.code, ...error.data }
    throw error
  }
  throw new Error('not refused')
}

const one = (find: string, replacement?: string): Wanted => ({
  find,
  count: 'one',
  ...(replacement !== undefined && { replacement }),
})

test.each([
  ['once', 'a\nb\nc\n', 'b', 'one', [[2, 3]]],
  ['over lines', 'a\nb\nc\n', 'b\nc', 'one', [[2, 5]]],
  ['over CRLF', 'a\r\nb\r\nc\r\n', 'b\nc', 'one', [[2, 5]]],
  [
    'everywhere',
    'aa b aa',
    'a',
    'all',
    [
      [0, 1],
      [1, 2],
      [5, 6],
      [6, 7],
    ],
  ],
  [
    'without overlap',
    'aaaaa',
    'aa',
    'all',
    [
      [0, 2],
      [2, 4],
    ],
  ],
  [
    'a said number of times',
    'a.a',
    'a',
    2,
    [
      [0, 1],
      [2, 3],
    ],
  ],
  ['a lone CR beside a CRLF', 'a\r\r\n', 'a\r', 'one', [[0, 2]]],
] as const)('a text is found %s', (_, text, find, count, places) => {
  const wanted = places.map(([from, to]) => ({ from, to }))
  expect(locate(open(text), { find, count })).toEqual({ level: 'exact', places: wanted })
})

test('a text is searched in linear time where it nearly repeats itself', () => {
  const half = 'a'.repeat(2_000)
  const text = `${'a'.repeat(400_000)}b${half}c`
  expect(locate(open(text), { find: `${half}b${half}`, count: 'one' }).places).toEqual([
    { from: 398_000, to: 402_001 },
  ])
})

test('two places are ambiguous, with the line of each and the one before', () => {
  expect(refused('  x = 1\ny\nx = 2\n', one('x = '))).toEqual({
    code: 'AMBIGUOUS_MATCH',
    matches: [
      { line: 1, text: '  x = 1' },
      { line: 3, before: 'y', text: 'x = 2' },
    ],
  })
})

test('places that overlap are two', () => {
  expect(refused('aaa\n', one('aa')).code).toBe('AMBIGUOUS_MATCH')
})

test('a long list of places is cut', () => {
  const { matches, more_matches } = refused('x\n'.repeat(20), one('x'))
  expect([(matches as unknown[]).length, more_matches]).toEqual([10, true])
})

test('another number of places than said is told', () => {
  expect(refused('x\nx\n', { find: 'x', count: 3 })).toEqual({
    code: 'COUNT_MISMATCH',
    expected_count: 3,
    actual_count: 2,
    matches: [
      { line: 1, text: 'x' },
      { line: 2, before: 'x', text: 'x' },
    ],
  })
})

test('too many places are refused', () => {
  expect(refused('x'.repeat(10_001), { find: 'x', count: 'all' }).code).toBe('TOO_LARGE')
})

test('a miss shows the nearest lines, the first that differs, and how', () => {
  const text = 'one()\nif (ready) {\n\tstart(engine)\n}\n'
  expect(refused(text, one('if (ready) {\n  start(engine)\n}', 'if (ready) {'))).toEqual({
    code: 'ZERO_MATCHES',
    candidates: [
      { start_line: 2, end_line: 4, score: 0.99, text: 'if (ready) {\n\tstart(engine)\n}' },
    ],
    first_divergence: {
      line: 3,
      expected: '  start(engine)',
      actual: '\tstart(engine)',
      expected_visible: '··start(engine)',
      actual_visible: '→start(engine)',
    },
    already_present: false,
    hint: 'whitespace',
  })
})

test.each([
  ['a line of its own', 'old()\nstart(engine)\n', 'start(engine)', true],
  ['two short lines that stand once', 'a\nB\n', 'a\nB\n', true],
  [
    'a long line that stands twice',
    'throw new RangeError()\n'.repeat(2),
    'throw new RangeError()',
    true,
  ],
  ['a short word that stands twice', 'return\nreturn\n', 'return', false],
  ['a brace', 'if (a) {\n}\n', '}', false],
  ['braces', 'if (a) {\n  }\n}\n', '  }\n}', false],
  ['a letter', 'x\n', 'x', false],
  ['nothing', 'x\n', '', false],
  ['a part of the old text', 'missing\n', 'missing', false],
])('whether %s shows that the edit was made', (_, text, replacement, isPresent) => {
  expect(refused(text, one('missing()', replacement)).already_present).toBe(isPresent)
})

test.each([
  ['white space', 'a  =  b + c\n', 'a = b + c', 'whitespace'],
  ['a missing blank line', 'first line\n\nsecond line\n', 'first line\nsecond line', 'whitespace'],
  ['curly quotes', 'say(“hello world”)\n', 'say("hello world")', 'confusables'],
  ['a long dash', 'from here – to there\n', 'from here - to there', 'confusables'],
  ['a hard space', 'hello\u00a0world\n', 'hello world', 'whitespace'],
  ['letter case', 'const MaxSize = 1\n', 'const maxSize = 1', 'letter_case'],
  ['line numbers', 'start here\nend there\n', '1\tstart here\n2\tend there\n', 'line_numbers'],
  ['escaped quotes', 'say("hello")\n', 'say(\\"hello\\")', 'escapes'],
  ['escaped breaks', 'first\nsecond\n', 'first\\nsecond', 'escapes'],
  ['other words', 'let total = price\n', 'let total = prize', undefined],
])('a miss for %s is named', (_, text, find, hint) => {
  expect(refused(text, one(find)).hint).toBe(hint)
})

test.each([
  ['wrong', ['alpha()', 'beta()', 'gamma()', 'wrong()', 'delta()'], 4, 'wrong()', 'right()'],
  ['left out', ['alpha()', 'beta()', 'gamma()', 'delta()', 'last()'], 4, 'delta()', 'right()'],
])('a line that is %s deep in a block is the divergence', (_, find, line, expected, actual) => {
  const block = ['alpha()', 'beta()', 'gamma()', 'right()', 'delta()', 'last()']
  const { first_divergence } = refused(block.join('\n'), one(find.join('\n')))
  expect(first_divergence).toMatchObject({ line, expected, actual })
})

test('past the end of the file nothing stands', () => {
  const { first_divergence } = refused('alpha()\n', one('alpha()\nbeta()'))
  expect(first_divergence).toMatchObject({ line: 2, expected: 'beta()', actual: null })
})

test('a file without anything like it has no candidates', () => {
  expect(refused('alpha\nbeta\n', one('zzz'))).toEqual({
    code: 'ZERO_MATCHES',
    candidates: [],
    already_present: false,
  })
})

test('at most three candidates are shown, best first', () => {
  const text = Array.from({ length: 6 }, (_, index) => `call(argument, ${index})\n`).join('')
  const { candidates } = refused(text, one('call(argument, 3, more)'))
  expect((candidates as unknown[]).length).toBe(3)
})

test('what is shown of a file is bounded', () => {
  const data = refused(`marker ${'y'.repeat(1_000_000)}\n`, one(`marker ${'y'.repeat(3_000)}z`))
  expect(JSON.stringify(data).length).toBeLessThan(4_000)
})

test('text copied from undecodable bytes is refused as such', () => {
  expect(refused([0x61, 0xe4, 0x62, 0x0a], one('a\ufffdb'))).toEqual({
    code: 'UNSUPPORTED_ENCODING',
    line: 1,
  })
})

test('undecodable bytes elsewhere do not hinder, and show as U+FFFD', () => {
  const bytes = [...new TextEncoder().encode('marker one\nmarker two '), 0xe4, 0x0a]
  const { candidates } = refused(bytes, one('marker two!'))
  expect(candidates).toContainEqual(expect.objectContaining({ text: 'marker two \ufffd' }))
})
