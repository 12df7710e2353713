import { expect, test } from 'vitest'
import { printable } from '#src/faces/cli/terminal.js'

test.each<[string, string, string]>([
  ['text and line ends stay', 'a\tb\nc é 漢\n', 'a\tb\nc é 漢\n'],
  ['an escape sequence', '\u001b[2J', '\\u001b[2J'],
  ['a one-byte escape sequence', '\u009b2J', '\\u009b2J'],
  ['a carriage return', 'ok\rno', 'ok\\u000dno'],
  ['a bell and a delete', '\u0007\u007f', '\\u0007\\u007f'],
  ['a mark that reorders text', 'a\u202eb', 'a\\u202eb'],
  ['a mark that hides', 'a\u200bb', 'a\\u200bb'],
])('UI-2: %s', (_, text, expected) => expect(printable(text)).toBe(expected))

test('UI-2: JSON stays the same JSON', () => {
  const value = { text: '\u001b[31m\u0085\u202e' }
  expect(JSON.parse(printable(JSON.stringify(value)))).toEqual(value)
})
