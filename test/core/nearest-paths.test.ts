import { expect, test } from 'vitest'
import { nearestPaths } from '#src/core/nearest-paths.js'

const paths = [
  'README.md',
  'src/commands/read.ts',
  'src/commands/read-files.ts',
  'src/report/read-view.ts',
  'test/commands/read.test.ts',
  'packages/a/src/index.ts',
  'packages/b/src/index.ts',
]

test.each([
  ['another folder', 'lib/commands/read.ts', ['src/commands/read.ts']],
  ['a forgotten folder', 'commands/read.ts', ['src/commands/read.ts']],
  ['another case', 'readme.md', ['README.md']],
  ['a wrong ending', 'src/commands/read.tsx', ['src/commands/read.ts']],
  ['a slip', 'src/report/raed-view.ts', ['src/report/read-view.ts']],
  [
    'the folder counts',
    'packages/b/index.ts',
    ['packages/b/src/index.ts', 'packages/a/src/index.ts'],
  ],
  ['nothing like it', 'zzz/qqqqq.py', []],
])('%s', (_, wanted, [best, ...others]) => {
  const [first, ...rest] = nearestPaths(wanted, paths, 3)
  expect(first).toBe(best)
  if (others.length > 0) expect(rest).toEqual(others)
})

test('no more than are asked for', () => {
  expect(nearestPaths('index.ts', paths, 1)).toEqual(['packages/a/src/index.ts'])
})
