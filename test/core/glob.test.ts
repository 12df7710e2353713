import { expect, test } from 'vitest'
import { Refusal } from '#src/core/errors.js'
import { globMatcher } from '#src/core/glob.js'

test.each([
  ['*.ts', 'a.ts', true],
  ['*.ts', 'src/a.ts', true],
  ['*.ts', 'a.tsx', false],
  ['/*.ts', 'a.ts', true],
  ['/*.ts', 'src/a.ts', false],
  ['src/*.ts', 'src/a.ts', true],
  ['src/*.ts', 'src/b/a.ts', false],
  ['src/*.ts', 'x/src/a.ts', false],
  ['src/**/*.ts', 'src/a.ts', true],
  ['src/**/*.ts', 'src/b/c/a.ts', true],
  ['**/test/**', 'a/test/b/c', true],
  ['**/test/**', 'test/b', true],
  ['**/test/**', 'a/test', false],
  ['src/', 'src/a', true],
  ['src/', 'src', false],
  ['**', 'a/b', true],
  ['a?c', 'abc', true],
  ['a?c', 'a😀c', true],
  ['a?c', 'a/c', false],
  ['[a-c]x', 'bx', true],
  ['[a-c]x', 'dx', false],
  ['[!a-c]x', 'dx', true],
  ['[]]', ']', true],
  ['[a-]', '-', true],
  ['[a', '[a', true],
  ['*.{ts,js}', 'a.js', true],
  ['*.{ts,js}', 'a.css', false],
  ['{a,b/{c,d}}/x', 'b/d/x', true],
  ['{a', '{a', true],
  ['a{,b}', 'a', true],
  ['\\*', '*', true],
  ['\\*', 'a', false],
  ['\\{a,b\\}', '{a,b}', true],
  ['.*', '.env', true],
  ['*', '.env', true],
  ['*a*b*c*', 'xxaxxbxxcxx', true],
  ['*a*b*c*', 'xxaxxcxxbxx', false],
  ['a/**/b/**/c', 'a/b/x/b/y/c', true],
  ['', 'a', false],
])('%s matches %s: %s', (pattern, path, matches) => {
  expect(globMatcher(pattern)(path)).toBe(matches)
})

test('many stars take no long time', () => {
  const deep = Array.from({ length: 1_000 }, () => 'aaaa').join('/')
  expect(globMatcher(`${'*a'.repeat(500)}b`)('a'.repeat(3_000))).toBe(false)
  expect(globMatcher(`${'**/a*/'.repeat(300)}b`)(deep)).toBe(false)
})

test('braces that stand for too many patterns are refused', () => {
  expect(() => globMatcher('{a,b}'.repeat(20))).toThrow(Refusal)
})

test('all paths together take no more than the steps that are allowed', () => {
  const matches = globMatcher('*{a,b,c,d}*e', { maxSteps: 1_000 })
  expect(matches('short')).toBe(false)
  const long = 'a'.repeat(2_000)
  expect(() => matches(long)).toThrow(expect.objectContaining({ code: 'PATTERN_TIMEOUT' }))
})
