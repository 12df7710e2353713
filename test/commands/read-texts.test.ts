import { expect, test } from 'vitest'
import { parseEntityTags } from '#src/commands/entity-tag.js'
import { parseLineRange } from '#src/commands/line-range.js'
import { Refusal } from '#src/core/errors.js'

test.each([
  ['10-40', { start: 10, end: 40 }],
  ['7', { start: 7, end: 7 }],
  ['3-', { start: 3, end: Number.MAX_SAFE_INTEGER }],
])('lines %s are read', (text, expected) => expect(parseLineRange(text)).toEqual(expected))

test.each(['', '0', '0-3', '4-3', '-3', '1-2-3', ' 1', 'a', '1e3', '--output=pwned'])(
  'lines %j are refused',
  text => expect(() => parseLineRange(text)).toThrow(Refusal),
)

test.each([
  ['"abc"', 'abc'],
  ['W/"abc"', 'abc'],
  ['*', '*'],
  ['"a", "b"', 'a,b'],
])('entity tag %s is read', (text, expected) => expect(parseEntityTags(text)).toBe(expected))

test.each(['abc', '"abc', '', '"a" "b"'])('entity tag %j is refused', text =>
  expect(() => parseEntityTags(text)).toThrow(Refusal),
)
