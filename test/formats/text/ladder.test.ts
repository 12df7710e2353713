import { describe, expect, test } from 'vitest'
import { Refusal } from '#src/core/errors.js'
import { type MatchLevel, matchLevels } from '#src/core/receipt.js'
import type { Wanted } from '#src/formats/text/haystack.js'
import { type Located, locate } from '#src/formats/text/locate.js'
import { PieceText } from '#src/formats/text/piece-text.js'
import { openText } from '#src/formats/text/text-file.js'
import { whiteSpaceOf } from '#src/formats/text/white-space.js'

interface Question {
  readonly path?: string
  readonly text: string
  readonly find: string
  readonly count?: Wanted['count']
  readonly replacement?: string
  readonly levels?: readonly MatchLevel[]
  readonly minSimilarity?: number
}

function ask(question: Question): Located {
  const { path = 'a.ts', text, find, count = 'one', replacement } = question
  const file = openText(new TextEncoder().encode(text))
  if (file === undefined) throw new Error('not text')
  const wanted = { find, count, ...(replacement !== undefined && { replacement }) }
  return locate(PieceText.of(file), wanted, {
    levels: question.levels ?? matchLevels,
    minSimilarity: question.minSimilarity ?? 0.7,
    whiteSpace: whiteSpaceOf(path, text),
  })
}

function refused(question: Question): Readonly<Record<string, unknown>> {
  try {
    ask(question)
  } catch (error) {
    if (error instanceof Refusal) return { code: error.code, ...error.data }
    throw error
  }
  throw new Error('not refused')
}

/** The level, and the lines of each place, from 1. */
function found(question: Question): readonly unknown[] {
  const { level, places } = ask(question)
  const lineOf = (offset: number): number => question.text.slice(0, offset).split('\n').length
  return [level, ...places.map(({ from, to }) => [lineOf(from), lineOf(Math.max(from, to - 1))])]
}

const body = ['def total(items):', '    tax = rate(items)', '    fee = 3', '    return tax + fee']
const misremembered = [
  'def total(items):',
  '    tax = rate(item)',
  '    fee = 3',
  '    return tax + fee',
]

describe('what no stricter level accepts', () => {
  test.each<[MatchLevel, Question, readonly [number, number]]>([
    ['exact', { text: 'ab cd\n', find: 'b c' }, [1, 1]],
    ['trailing_whitespace', { text: 'a\nb  \nc\n', find: 'a\nb\n' }, [1, 2]],
    ['trailing_whitespace', { text: 'a\nb\nc', find: 'b \nc\t\n' }, [2, 3]],
    ['trailing_whitespace', { text: 'a\n  \nb\n', find: 'a\n\nb' }, [1, 3]],
    ['trailing_whitespace', { text: 'a\n\nb\n', find: 'a\n\t\nb' }, [1, 3]],
    ['line_trimmed', { text: '{\n\tgo()\n}\n', find: '  go()\n' }, [2, 2]],
    ['line_trimmed', { text: 'if (a) {\n  b()\n}\n', find: '  if (a) {\nb()\n }' }, [1, 3]],
    ['whitespace_normalised', { text: 'a  =\t1\nb\n', find: 'a = 1\nb' }, [1, 2]],
    ['whitespace_normalised', { path: 'a.py', text: '  a  = 1\n', find: '  a = 1' }, [1, 1]],
    [
      'whitespace_normalised',
      { path: 'a.py', text: '  a  = 1\n    \n  b\n', find: '  a = 1\n\n  b' },
      [1, 3],
    ],
    [
      'indentation_flexible',
      {
        path: 'a.py',
        text: 'class A:\n    def f():\n        go()\n',
        find: 'def f():\n    go()\n',
      },
      [2, 3],
    ],
    [
      'indentation_flexible',
      { path: 'a.yml', text: 'a:\n  b:\n    c: 1\n', find: 'b:\n  c: 1\n' },
      [2, 3],
    ],
    [
      'indentation_flexible',
      { path: 'a.py', text: 'def f():\n    if x:\n        go()\n', find: '\tif x:\n\t\tgo()\n' },
      [2, 3],
    ],
    ['unicode_normalised', { text: 'it’s “fine” – ok…\n', find: 'it\'s "fine" - ok...' }, [1, 1]],
    ['unicode_normalised', { text: "it's fine\n", find: 'it’s fine' }, [1, 1]],
    [
      'block_anchor',
      { path: 'a.py', text: body.join('\n'), find: misremembered.join('\n') },
      [1, 4],
    ],
    [
      'block_anchor',
      {
        text: 'a {\n  one(first)\n  log()\n  two(second)\n}\n',
        find: 'a {\n one(first)\n two(second)\n}\n',
      },
      [1, 5],
    ],
  ])('%s: %j', (level, question, lines) => {
    expect(found(question)).toEqual([level, lines])
    if (level === 'exact') return
    const stricter = matchLevels.slice(0, matchLevels.indexOf(level))
    expect(refused({ ...question, levels: stricter })).toMatchObject({
      code: 'ZERO_MATCHES',
      would_match: { level, lines: [{ start_line: lines[0], end_line: lines[1] }] },
    })
  })
})

test.each<[string, Question]>([
  ['a break for a space', { text: 'foo\nbar baz\n', find: 'foo bar' }],
  ['a space for a break', { text: 'foo bar\n', find: 'foo\nbar' }],
  ['a blank line left out', { text: 'A b.\n\nC d.\n', find: 'A b.\nC d.' }],
  ['a blank line too many', { text: 'A b.\nC d.\n', find: 'A b.\n\nC d.' }],
  ['a part of a line', { text: 'before foo  =  1 after\n', find: 'foo = 1' }],
  ['no space for one', { text: 'a=1\n', find: 'a = 1' }],
  ['spaces inside quotes', { text: 'say("a  b")\n', find: 'say("a b")' }],
  ['only white space', { text: 'a\nb\n', find: '   ' }],
  ['only blank lines', { text: 'a\n \n\t\nb\n', find: ' \n  \n' }],
  ['letter case', { text: 'Go()\n', find: 'go() ' }],
  ['an edit of white space', { text: '\tgo()\n', find: '  go()', replacement: '    go()' }],
  [
    'a hard space without leave',
    { text: 'a\u00a0b\n', find: 'a b', levels: ['exact', 'line_trimmed'] },
  ],
  ['a ligature', { text: 'of\ufb01ce\n', find: 'office' }],
  ['what cannot be seen', { text: 'a\u200bb\n', find: 'ab' }],
  ['nested lines as one level', { path: 'a.py', text: 'if a:\n    b()\n', find: ' if a:\n b()' }],
  [
    'another indentation in YAML',
    { path: 'a.yaml', text: 'a:\n  b: 1\nc:\n  b: 2\n', find: '  a:\n  b: 1' },
  ],
  [
    'spaces for the tab of a recipe',
    { path: 'Makefile', text: 'all:\n\techo\n', find: 'all:\n    echo' },
  ],
  ['a hard break', { path: 'a.md', text: 'one  \ntwo\n', find: 'one\ntwo' }],
  ['code in a fence', { path: 'a.md', text: '```\n\tone\ntwo\n```\n', find: '    one\ntwo' }],
  ['a column of a table', { path: 'a.tsv', text: 'a\tb\n', find: 'a b' }],
  ['the context of a patch', { path: 'a.patch', text: ' a\n+b\n', find: 'a \n+b' }],
])('%s is refused', (_, question) => {
  expect(refused(question).code).toBe('ZERO_MATCHES')
})

/** A block between anchors; what is between them is so much alike. */
const block = (middle: string): string => `start {\n${middle}\n}\n`

describe('block_anchor', () => {
  const ten = 'abcdefghij'
  // 2 x (common + 1) over all characters and a break each.
  test.each<[number, string, string, boolean]>([
    [
      0.7,
      `${ten}${ten}${ten}${ten}`.slice(0, 39),
      `${ten}${ten}${ten}${ten}`.slice(0, 27) + 'z'.repeat(12),
      true,
    ],
    [
      0.69,
      `${ten}`.repeat(10).slice(0, 99),
      `${ten}`.repeat(10).slice(0, 68) + 'z'.repeat(31),
      false,
    ],
  ])('a middle of similarity %d', (similarity, actual, wanted, isTaken) => {
    const question = { text: block(actual), find: block(wanted) }
    if (isTaken) expect(ask(question)).toMatchObject({ level: 'block_anchor', similarity })
    else expect(refused(question).code).toBe('ZERO_MATCHES')
    expect(refused({ ...question, minSimilarity: similarity + 0.02 }).code).toBe('ZERO_MATCHES')
    expect(ask({ ...question, minSimilarity: similarity - 0.02 }).similarity).toBe(similarity)
  })

  const lines = (count: number): string =>
    Array.from({ length: count }, (_, index) => `  call(argument, ${index})`).join('\n')
  const odd = '  something else altogether\n'
  test.each<[string, string, string]>([
    ['more than twice as long', block(`${odd}${lines(6)}`), block(lines(1))],
    ['twice as long', block(`  x(1)\n  x(2)\n  x(3)\n  x(4)`), block('  x(1)')],
    ['less than half as long', block(lines(1)), block(lines(5))],
    ['without a first line', `begin {\n${lines(3)}\n}\n`, block(lines(2))],
    ['without a last line', `start {\n${lines(3)}\n`, block(`${lines(2)}\n  call(argument, 3)`)],
    [
      'with an end that stands deeper',
      `start {\n${lines(3)}\n  }\n`,
      block(`${lines(2)}\n  call(argument, 3)`),
    ],
    ['that is the next of siblings', block('  case(41)\n  on()'), block('  case(52)\n  on()')],
    ['that is nothing but blank between its ends', 'start {\n\n\n}\n', 'start {\n\n}\n'],
  ])('a block %s is refused', (_, text, find) => {
    expect(refused({ text, find }).code).toBe('ZERO_MATCHES')
  })

  test.each<[string, string, string]>([
    [
      'equal',
      block('  one(argument, 1)') + block('  one(argument, 2)'),
      block('  one(argument, 3)'),
    ],
    [
      'nearly equal',
      block('  first(argument, second, 1)') + block('  first(argument, sekond, 12)'),
      block('  first(argument, second, 3)'),
    ],
    [
      'with a second best below the least similarity',
      block('  abcdefghijklmnpqrstu') + block('  abcdefghijklmpqrstuv'),
      block('  abcdefghijklmnXXXXXX'),
    ],
  ])('two blocks %s are ambiguous', (_, text, find) => {
    expect(refused({ text, find })).toMatchObject({
      code: 'AMBIGUOUS_MATCH',
      matches: [{ line: 1 }, { line: 4 }],
    })
    expect(refused({ text, find, count: 'all' }).code).toBe('AMBIGUOUS_MATCH')
  })

  test('the best block is taken where it leads by a tenth', () => {
    const text = block('  one(argument, 1)') + block('  other(words)')
    expect(found({ text, find: block('  one(argument, 2)') })).toEqual(['block_anchor', [1, 3]])
  })

  const known = 'f() {\n  const rate = load(1)\n  extra()\n  use(rate, "a long line")\n  end()\n}\n'
  const wanted = 'f() {\n  const rate = load(1)\n  use(rate, "a long line")\n  end()\n}\n'
  test.each<[string, string, string]>([
    ['beside a line that was left out', wanted.replace('end()', 'end(1)'), 'block_anchor'],
    ['over a line that was left out', 'f() {\n  nothing()\n}\n', 'ZERO_MATCHES'],
    [
      'right where a line was left out',
      wanted.replace('load(1)\n', 'load(1)\n  more()\n'),
      'ZERO_MATCHES',
    ],
  ])('an edit %s', (_, replacement, outcome) => {
    const question = { text: known, find: wanted, replacement }
    if (outcome === 'ZERO_MATCHES') expect(refused(question).code).toBe(outcome)
    else expect(ask(question).level).toBe(outcome)
  })

  test('a search that would take too many steps says so', () => {
    const text = `a\n${'b(1)\na\n'.repeat(6_000)}`
    const find = `a\n${'b(2)\n'.repeat(700)}a\n`
    expect(refused({ text, find })).toMatchObject({ code: 'ZERO_MATCHES', budget_spent: true })
  })
})

test.each<[string, Question]>([
  ['at a whole line', { text: '\tx = 1\n  x = 1\n', find: ' x = 1 \n' }],
  ['normalised', { text: 'x  =  1\nx   =   1\n', find: 'x = 1' }],
  ['shifted', { path: 'a.py', text: 'if a:\n  b\nif c:\n  if a:\n    b\n', find: ' if a:\n   b' }],
])('two places are ambiguous %s', (_, question) => {
  expect(refused(question).code).toBe('AMBIGUOUS_MATCH')
  expect(ask({ ...question, count: 'all' }).places.length).toBe(2)
  expect(ask({ ...question, count: 2 }).places.length).toBe(2)
  expect(refused({ ...question, count: 3 })).toMatchObject({
    code: 'COUNT_MISMATCH',
    actual_count: 2,
  })
})

test('places that overlap are two where one is wanted, and one where all are', () => {
  const question = { text: '  a\n  a\n  a\n', find: ' a\n a \n' }
  expect(refused(question).code).toBe('AMBIGUOUS_MATCH')
  expect(found({ ...question, count: 'all' })).toEqual(['line_trimmed', [1, 2]])
})

test('a level runs only if the stricter ones found nothing', () => {
  expect(found({ text: 'a = 1 \na  = 1\n  a = 1\n', find: 'a = 1 \na  = 1' })).toEqual([
    'exact',
    [1, 2],
  ])
  expect(found({ text: '\ta  b\n  a b\n', find: ' a b\n' })).toEqual(['exact', [2, 2]])
})
