import { expect, test } from 'vitest'
import { isVersionAtLeast } from '#src/io/git/program-versions.js'

test.each<[string, readonly number[], boolean]>([
  ['2.39.5', [2, 38], true],
  ['2.38', [2, 38], true],
  ['2.37.9', [2, 38], false],
  ['3.0', [2, 38], true],
  ['1.99', [2, 38], false],
  ['2.39.3 (Apple Git-146)', [2, 39, 4], false],
  ['2', [2, 1], false],
  ['nothing', [0, 1], false],
])('%s is at least %j: %j', (text, wanted, expected) =>
  expect(isVersionAtLeast(text, ...wanted)).toBe(expected),
)
