import { expect, test } from 'vitest'
import { parseEntityTags } from '#src/commands/entity-tag.js'
import { parseLineRange } from '#src/commands/line-range.js'
import { parseReadTargets, sayTarget } from '#src/commands/read-target.js'
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

test.each([
  ['src/a.ts', { path: 'src/a.ts' }],
  ['src/a.ts:10-40', { path: 'src/a.ts', lines: { start: 10, end: 40 } }],
  ['a:7', { path: 'a', lines: { start: 7, end: 7 } }],
  ['a:3-', { path: 'a', lines: { start: 3, end: Number.MAX_SAFE_INTEGER } }],
  ['src/a.ts::Shop/open', { path: 'src/a.ts', symbol: 'Shop/open' }],
  ['a.ts::open@L7', { path: 'a.ts', symbol: 'open@L7' }],
  ['a:b.ts', { path: 'a:b.ts' }],
  [':12', { path: ':12' }],
  ['a.cpp::ns::f', { path: 'a.cpp', symbol: 'ns::f' }],
])('read %s', (said, target) => {
  expect(parseReadTargets(said)).toEqual([target])
  expect(sayTarget(target)).toBe(said === 'a:7' ? 'a:7-7' : said)
})

test('several parts of one file', () => {
  const [one, two] = [
    { start: 1, end: 2 },
    { start: 9, end: 9 },
  ]
  expect(parseReadTargets('a:1-2,9')).toEqual([
    { path: 'a', lines: one },
    { path: 'a', lines: two },
  ])
})
