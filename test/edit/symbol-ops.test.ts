import { afterAll, describe, expect, test } from 'vitest'
import { ThreadParsers } from '#src/io/workers/thread-parsers.js'
import { changed, refusal, run } from './sandbox.js'

const parsers = new ThreadParsers()
afterAll(() => parsers.close())

const code = `import { log } from './log.js'

/** Sells. */
export class Shop {
  // Opens it.
  @log()
  open(): void {
    log('open')
  }

  close(): void {}
}

export class Bar {
  open(): void {}
}

const a = 1; const b = 2
export const last = 1`

type Edit = Readonly<Record<string, unknown>>

async function edited(before: string, edits: readonly Edit[], path = 'f.ts'): Promise<unknown> {
  const named = edits.map(edit => ({ path, ...edit }))
  return (await changed({ [path]: before }, named, { parsers }))[path]
}

const replace = (symbol: string, text: string, more: Edit = {}): Edit => ({
  op: 'replace_symbol',
  symbol,
  text,
  ...more,
})

const lines = code.split('\n')
/** The code with lines from `start` to `end` replaced. */
const spliced = (start: number, end: number, ...put: readonly string[]): string =>
  [...lines.slice(0, start - 1), ...put, ...lines.slice(end)].join('\n')

const cases: readonly [string, readonly Edit[], string][] = [
  [
    'a method with its decorator',
    [replace('Shop/open', '  open() {}')],
    spliced(6, 9, '  open() {}'),
  ],
  [
    'a method with its comment',
    [replace('Shop/open', '  open() {}\n', { with_doc: true })],
    spliced(5, 9, '  open() {}'),
  ],
  ['an exported class', [replace('Shop', 'class Shop {}')], spliced(4, 12, 'class Shop {}')],
  ['a last line without a newline', [replace('last', 'let last')], spliced(19, 19, 'let last')],
  ['one of two by its line', [replace('open@L15', '  open() {}')], spliced(15, 15, '  open() {}')],
  [
    'lines before the comment of a class',
    [{ op: 'insert_before_symbol', symbol: 'Shop', text: 'let x' }],
    spliced(3, 2, 'let x'),
  ],
  [
    'lines after a method',
    [{ op: 'insert_after_symbol', symbol: 'Shop/close', text: '\n  more() {}\n' }],
    spliced(12, 11, '', '  more() {}'),
  ],
  [
    'lines after the last line, which just stops',
    [{ op: 'insert_after_symbol', symbol: 'last', text: 'let x' }],
    `${code}\nlet x`,
  ],
  ['a method that goes', [{ op: 'delete_symbol', symbol: 'Bar/open' }], spliced(15, 15)],
  [
    'a class that goes with its comment',
    [{ op: 'delete_symbol', symbol: 'Shop', with_doc: true }],
    spliced(3, 12),
  ],
  [
    'several ops, all in the lines as they were read',
    [
      { op: 'delete_symbol', symbol: 'Shop', with_doc: true },
      replace('Bar/open', '  open() {}'),
      { op: 'insert_lines', line: 1, text: '// top' },
    ],
    [
      '// top',
      ...lines.slice(0, 2),
      ...lines.slice(12, 14),
      '  open() {}',
      ...lines.slice(15),
    ].join('\n'),
  ],
]

describe('symbols are edited by whole lines', () => {
  test.each(cases)('%s', async (_, edits, after) => expect(await edited(code, edits)).toBe(after))

  test.each(cases)('%s, with CRLF', async (_, edits, after) =>
    expect(await edited(code.replaceAll('\n', '\r\n'), edits)).toBe(after.replaceAll('\n', '\r\n')),
  )
})

test.each([
  ['f.py', '@d\ndef a():\n    return 1\n\ndef b():\n    pass\n', 'def b():\n    pass\n'],
  ['f.go', 'package a\n\nfunc a() {}\n', 'package a\n\n'],
  ['f.rs', '#[test]\nfn a() {}\nfn b() {}\n', 'fn b() {}\n'],
  ['f.md', '# x\n\n# a\ntext\n', '# x\n\n'],
])('delete_symbol in %s', async (path, before, after) => {
  const found = await edited(before, [{ op: 'delete_symbol', symbol: 'a' }], path)
  expect(String(found).replace(/^\n/, '')).toBe(after)
})

test('the receipt tells the lines', async () => {
  const { ops } = await run(
    { 'f.ts': code },
    [{ path: 'f.ts', ...replace('Shop/open', '  x() {}') }],
    {
      parsers,
    },
  )
  expect(ops).toEqual([
    {
      index: 0,
      op: 'replace_symbol',
      path: 'f.ts',
      lines: [{ start: 6, end: 9 }],
      new_lines: [{ start: 6, end: 6 }],
    },
  ])
})

const refusals: readonly [string, string, string, readonly Edit[], object][] = [
  [
    'a name that stands there twice',
    'f.ts',
    code,
    [replace('open', 'x')],
    {
      code: 'AMBIGUOUS_MATCH',
      matches: [
        { name_path: 'Shop/open', kind: 'method', start_line: 6, end_line: 9 },
        { name_path: 'Bar/open', kind: 'method', start_line: 15, end_line: 15 },
      ],
    },
  ],
  ['a name that is not there', 'f.ts', code, [replace('Shopp', 'x')], { code: 'NOT_FOUND' }],
  ['a shared line', 'f.ts', code, [replace('a', 'x')], { code: 'UNSUPPORTED_OP', start_line: 18 }],
  ['no language', 'f.txt', 'a\n', [replace('a', 'x')], { code: 'UNSUPPORTED_OP' }],
  [
    'a language that is read by lines only',
    'f.swift',
    'func a() {\n}\n',
    [replace('a', 'x')],
    { code: 'UNSUPPORTED_OP' },
  ],
  [
    'a script that its parser gave up on',
    'f.ts',
    'function a() {\n}\nfunction b( {\n',
    [{ op: 'delete_symbol', symbol: 'b' }],
    { code: 'UNSUPPORTED_OP' },
  ],
  [
    'an error at the symbol',
    'f.py',
    'def a():\n    return = 1\n\ndef b():\n    return 2\n',
    [{ op: 'delete_symbol', symbol: 'a' }],
    { code: 'UNSUPPORTED_OP' },
  ],
  [
    'the same symbol twice',
    'f.ts',
    code,
    [replace('Bar', 'x'), replace('Bar', 'y')],
    { code: 'OVERLAPPING_EDITS' },
  ],
  [
    'text that looks like a slip',
    'f.ts',
    code,
    [replace('Bar', '// ... existing code ...')],
    { code: 'SUSPECT_TEXT' },
  ],
  ['no new text', 'f.ts', code, [replace('Bar', '')], { code: 'INVALID_ARGUMENTS' }],
]

test.each(refusals)('refused: %s', async (_, path, before, edits, told) =>
  expect(await refusal(() => edited(before, edits, path))).toMatchObject(told),
)

test('refused where nobody reads symbols, and at another revision', async () => {
  const edit = { path: 'f.ts', ...replace('Bar', 'x') }
  expect(await refusal(() => run({ 'f.ts': code }, [edit]))).toMatchObject({
    code: 'UNSUPPORTED_OP',
  })
  const stale = { ...edit, expected_rev: '0'.repeat(40) }
  expect(await refusal(() => run({ 'f.ts': code }, [stale], { parsers }))).toMatchObject({
    code: 'CONTENT_REV_CONFLICT',
  })
})

test('a symbol that is not there is told beside other edits that fail', async () => {
  const none = { op: 'delete_symbol', symbol: 'Shop/none' }
  const told = await refusal(() =>
    edited(code, [{ op: 'delete_text', find: 'nowhere' }, none, replace('No', 'let no')]),
  )
  expect([told.code, told.failures]).toMatchObject([
    'ZERO_MATCHES',
    [
      { index: 0, code: 'ZERO_MATCHES' },
      { index: 1, code: 'NOT_FOUND', symbol: 'Shop/none' },
      { index: 2, code: 'NOT_FOUND', symbol: 'No' },
    ],
  ])
})
