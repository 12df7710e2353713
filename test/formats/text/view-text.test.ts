import { expect, test } from 'vitest'
import { openText, viewText } from '#src/formats/text/text-file.js'

test.each([
  ['LF', Buffer.from('a\nb\n'), 'a\nb\n'],
  ['CRLF', Buffer.from('a\r\nb\r\n'), 'a\nb\n'],
  ['a CR alone beside LF', Buffer.from('a\rb\n'), 'a\rb\n'],
  ['CR alone', Buffer.from('a\rb\r'), 'a\nb\n'],
  ['a byte order mark', Buffer.from('\ufeffa\r\n'), 'a\n'],
  ['UTF-16', Buffer.from('\ufeffa\r\nb', 'utf16le'), 'a\nb'],
  ['binary', Buffer.from([0, 1, 2]), undefined],
])('who only reads %s sees what who edits it sees', (_, bytes, text) => {
  expect(viewText(bytes)).toBe(text)
  expect(openText(bytes)?.text).toBe(text)
})
