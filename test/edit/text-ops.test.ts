import { expect, test } from 'vitest'
import { edited, refusal } from './sandbox.js'

const replace = (find: string, replacement: string, more = {}) => ({
  op: 'replace_text',
  find,
  replace: replacement,
  ...more,
})
const insert = (line: number, text: string) => ({ op: 'insert_lines', line, text })
const replaceLines = (start_line: number, end_line: number, text: string, more = {}) => ({
  op: 'replace_lines',
  start_line,
  end_line,
  text,
  ...more,
})
const deleteLines = (start_line: number, end_line: number) => ({
  op: 'delete_lines',
  start_line,
  end_line,
})
const append = (text: string) => ({ op: 'append_lines', text })

test.each([
  ['replaces one place', 'a\nb\n', [replace('b', 'B')], 'a\nB\n'],
  ['takes dollars literally', 'a\n', [replace('a', "$& $1 $$ $`$'")], "$& $1 $$ $`$'\n"],
  ['replaces all', 'a a a\n', [replace('a', 'b', { all: true })], 'b b b\n'],
  ['replaces a said number', 'a a\n', [replace('a', 'b', { expected_count: 2 })], 'b b\n'],
  ['finds CRLF by LF', 'a\r\nb\r\nc\r\n', [replace('a\nb', 'x\ny')], 'x\r\ny\r\nc\r\n'],
  ['finds LF by CRLF', 'a\nb\n', [replace('a\r\nb', 'x\r\ny')], 'x\ny\n'],
  ['keeps mixed endings', 'a\r\nb\nc\r\n', [replace('b', 'B')], 'a\r\nB\nc\r\n'],
  ['keeps CR where it breaks lines', 'a\rb\r', [replace('a\nb', 'x\ny')], 'x\ry\r'],
  ['keeps a mark', '\ufeffa\n', [replace('a', 'b')], '\ufeffb\n'],
  ['adds no last newline', 'a\nb', [replace('b', 'B')], 'a\nB'],
  ['adds one where asked', 'a\nb', [replace('b', 'b\n')], 'a\nb\n'],
  ['takes one away where asked', 'a\nb\n', [replace('b\n', 'b')], 'a\nb'],
  ['sees what earlier ops left', 'a\n', [replace('a', 'b'), replace('b', 'c')], 'c\n'],
  ['deletes a text', 'a b\n', [{ op: 'delete_text', find: ' b' }], 'a\n'],
  ['deletes all', 'abab\n', [{ op: 'delete_text', find: 'b', all: true }], 'aa\n'],
  ['inserts before a line', 'a\nb\n', [insert(2, 'x')], 'a\nx\nb\n'],
  ['one final newline is no empty line', 'a\nb\n', [insert(2, 'x\n')], 'a\nx\nb\n'],
  ['a second one is', 'a\nb\n', [insert(2, 'x\n\n')], 'a\nx\n\nb\n'],
  ['a newline alone is an empty line', 'a\nb\n', [insert(2, '\n')], 'a\n\nb\n'],
  ['inserts at the top', 'a\n', [insert(1, 'x')], 'x\na\n'],
  ['appends one past the last line', 'a\n', [insert(2, 'x')], 'a\nx\n'],
  ['inserts CRLF among CRLF', 'a\r\nb\r\n', [insert(2, 'x\ny')], 'a\r\nx\r\ny\r\nb\r\n'],
  ['replaces lines', 'a\nb\nc\n', [replaceLines(1, 2, 'x')], 'x\nc\n'],
  ['replaces lines by none', 'a\nb\nc\n', [replaceLines(1, 2, '')], 'c\n'],
  ['the last line keeps stopping', 'a\nb', [replaceLines(2, 2, 'x\n')], 'a\nx'],
  ['checks the prefix', 'a\n b\n', [replaceLines(2, 2, 'x', { expect_prefix: ' b' })], 'a\nx\n'],
  ['deletes lines', 'a\nb\nc\n', [deleteLines(2, 3)], 'a\n'],
  ['deletes a last line that stops', 'a\nb', [deleteLines(2, 2)], 'a\n'],
  ['deletes everything', 'a\nb\n', [deleteLines(1, 2)], ''],
  ['counts lines as they were read', 'a\nb\nc\n', [insert(1, 'x'), deleteLines(3, 3)], 'x\na\nb\n'],
  ['appends', 'a\n', [append('x')], 'a\nx\n'],
  ['appends twice in order', 'a\n', [append('x'), append('y')], 'a\nx\ny\n'],
  ['appends to a line that stops, and stops', 'a', [append('x\n')], 'a\nx'],
  ['the break that was missing is of the file', 'a\r\nb', [append('x')], 'a\r\nb\r\nx'],
  ['appends to nothing', '', [append('x')], 'x\n'],
  [
    'replaces the line that contains',
    'a1\nb1\n',
    [{ op: 'replace_lines_containing', contains: 'b', text: 'x\ny' }],
    'a1\nx\ny\n',
  ],
  [
    'replaces a said number of lines, each once',
    'aa\nb\na',
    [{ op: 'replace_lines_containing', contains: 'a', text: 'x', expected_count: 2 }],
    'x\nb\nx',
  ],
  [
    'deletes the line that contains',
    'a\r\nb\r\nc\r\n',
    [{ op: 'delete_lines_containing', contains: 'b' }],
    'a\r\nc\r\n',
  ],
])('%s', async (_, before, edits, after) => {
  expect(await edited(before, ...edits)).toBe(after)
})

test('UTF-16 is edited in its own encoding', async () => {
  const bytes = [0xff, 0xfe, 0x61, 0, 0x0d, 0, 0x0a, 0]
  expect(await edited(bytes, replace('a', 'é'))).toBe(
    new TextDecoder('utf-8').decode(Uint8Array.from([0xff, 0xfe, 0xe9, 0, 0x0d, 0, 0x0a, 0])),
  )
})

test.each([
  ['no place', 'a\n', [replace('b', 'x')], { code: 'ZERO_MATCHES', already_present: false }],
  ['two places', 'a\na\n', [replace('a', 'x')], { code: 'AMBIGUOUS_MATCH' }],
  [
    'two lines',
    'a\na\n',
    [{ op: 'delete_lines_containing', contains: 'a' }],
    { code: 'AMBIGUOUS_MATCH' },
  ],
  [
    'another number of lines',
    'a\na\n',
    [{ op: 'delete_lines_containing', contains: 'a', expected_count: 3 }],
    { code: 'COUNT_MISMATCH', actual_count: 2, expected_count: 3 },
  ],
  ['no line', 'a\n', [{ op: 'delete_lines_containing', contains: 'b' }], { code: 'ZERO_MATCHES' }],
  ['all of none', 'a\n', [replace('b', 'x', { all: true })], { code: 'ZERO_MATCHES' }],
  [
    'the wrong prefix',
    'a\nb\nc\n',
    [replaceLines(1, 1, 'x', { expect_prefix: 'c' })],
    { code: 'LINE_MISMATCH', line: 1, expect_prefix: 'c', actual_line: 'a', found_at_line: 3 },
  ],
  [
    'lines past the end',
    'a\n',
    [deleteLines(1, 2)],
    { code: 'OUT_OF_RANGE', start_line: 1, end_line: 2, total_lines: 1 },
  ],
  ['an insert past the end', 'a\n', [insert(3, 'x')], { code: 'OUT_OF_RANGE', total_lines: 1 }],
  [
    'a range that ends early',
    'a\nb\n',
    [deleteLines(2, 1)],
    {
      code: 'INVALID_ARGUMENTS',
      problems: [{ field: 'end_line', problem: 'is before start_line' }],
    },
  ],
  ['nothing to find', 'a\n', [replace('', 'x')], { code: 'INVALID_ARGUMENTS' }],
  ['nothing to insert', 'a\n', [insert(1, '')], { code: 'INVALID_ARGUMENTS' }],
  ['a broken character', 'a\n', [replace('a', '\ud800')], { code: 'INVALID_ARGUMENTS' }],
  ['NUL', 'a\n', [replace('a', '\0')], { code: 'INVALID_ARGUMENTS' }],
  [
    'a line part with a break',
    'a\n',
    [{ op: 'delete_lines_containing', contains: 'a\n' }],
    { code: 'INVALID_ARGUMENTS' },
  ],
  [
    'a touched line',
    'a\nb\n',
    [replace('a', 'x'), deleteLines(1, 1)],
    { code: 'OVERLAPPING_EDITS', index: 1, start_line: 1, end_line: 1 },
  ],
  ['a binary file', [0x61, 0], [replace('a', 'x')], { code: 'UNSUPPORTED_OP', kind: 'binary' }],
  ['broken UTF-16', [0xff, 0xfe, 0x61], [replace('a', 'x')], { code: 'UNSUPPORTED_ENCODING' }],
  ['a line with stray bytes', [0xe4, 0x0a], [deleteLines(1, 1)], { code: 'UNSUPPORTED_ENCODING' }],
  [
    'a find that is too long',
    'a\n',
    [replace('a'.repeat(4_097), 'x')],
    { code: 'TOO_LARGE', what: 'find', limit: 4_096, actual: 4_097 },
  ],
])('%s is refused', async (_, before, edits, data) => {
  expect(await refusal(() => edited(before, ...edits))).toMatchObject({ path: 'f', ...data })
})
