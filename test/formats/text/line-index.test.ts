import { expect, test } from 'vitest'
import { normaliseBreaks } from '#src/formats/text/line-index.js'

test.each([
  ['nothing', '', '', [], undefined, false],
  ['one line that stops', 'a', 'a', [''], undefined, false],
  ['LF', 'a\nb\n', 'a\nb\n', ['\n', '\n'], '\n', true],
  ['CRLF', 'a\r\nb\r\n', 'a\nb\n', ['\r\n', '\r\n'], '\r\n', true],
  ['CR only', 'a\rb\r', 'a\nb\n', ['\r', '\r'], '\r', true],
  ['mixed', 'a\r\nb\nc\r\nd', 'a\nb\nc\nd', ['\r\n', '\n', '\r\n', ''], '\r\n', false],
  ['a tie goes to LF', 'a\r\nb\n', 'a\nb\n', ['\r\n', '\n'], '\n', true],
  ['a lone CR beside LF is a character', 'a\rb\n', 'a\rb\n', ['\n'], '\n', true],
  ['CR CR LF', 'a\r\r\n', 'a\r\n', ['\r\n'], '\r\n', true],
  ['only a break', '\n', '\n', ['\n'], '\n', true],
  ['LF CR', 'a\n\rb\n', 'a\n\rb\n', ['\n', '\n'], '\n', true],
])('%s', (_, raw, text, endings, dominant, final) => {
  const { text: view, lines } = normaliseBreaks(raw)
  const found = Array.from({ length: lines.count }, (_, index) => lines.endingOf(index + 1))
  expect({ view, found }).toEqual({ view: text, found: endings })
  expect([lines.dominantEnding, lines.hasFinalNewline]).toEqual([dominant, final])
})

test.each([
  ['\r\n everywhere', 'a\r\n\r\nbc\r\nd', [0, 1, 3, 5, 6, 7, 9, 10]],
  ['mixed', 'a\nb\r\nc\r\n', [0, 1, 2, 3, 5, 6, 8]],
  ['LF', 'a\nb', [0, 1, 2, 3]],
  ['CR', 'a\rb\r', [0, 1, 2, 3, 4]],
])('places lead back through %s', (_, raw, places) => {
  const { text, lines } = normaliseBreaks(raw)
  const found = Array.from({ length: text.length + 1 }, (_, offset) => lines.rawOffset(offset))
  expect(found).toEqual(places)
})

test('lines are found by offset, and past the end there is one more', () => {
  const { lines } = normaliseBreaks('a\n\nbc\n')
  expect([0, 1, 2, 3, 4, 5, 6].map(lines.lineAt)).toEqual([1, 1, 2, 3, 3, 3, 4])
  expect([1, 2, 3, 4].map(lines.startOf)).toEqual([0, 2, 3, 6])
  expect([1, 2, 3].map(lines.endOf)).toEqual([1, 2, 5])
})

test.each([
  ['a\r\nb\r\n', true],
  ['a\r\nb\n', false],
  ['a', true],
])('%j has one kind of break: %s', (raw, uniform) => {
  expect(normaliseBreaks(raw).lines.isUniform).toBe(uniform)
})
