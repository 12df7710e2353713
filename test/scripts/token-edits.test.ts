import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { blocksOf, mergeRanges, replacementsOf } from '../../scripts/bench/token-edits.mjs'
import { seededRandom } from '../support/random.js'

const place = mkdtempSync(join(tmpdir(), 'token-edits-'))
afterAll(() => rmSync(place, { recursive: true }))

/** Git ends with 1 where the files differ. */
function diff(before: string, after: string): string {
  writeFileSync(join(place, 'old'), before)
  writeFileSync(join(place, 'young'), after)
  try {
    return execFileSync('git', ['diff', '--no-index', '-U0', 'old', 'young'], {
      cwd: place,
      encoding: 'utf8',
    })
  } catch (error) {
    return String((error as { readonly stdout?: unknown }).stdout)
  }
}

test('each text stands once in the file before, and all replaced make the file after', () => {
  const random = seededRandom(11)
  let edits = 0
  for (let round = 0; round < 60; round += 1) {
    const lines = Array.from({ length: random.int(3, 40) }, () => random.pick([...'abcdefg', '']))
    const before = `${lines.join('\n')}\n`
    const changed = lines.flatMap(line => {
      const dice = random.int(0, 10)
      return dice === 0 ? [] : dice === 1 ? [line, 'new'] : dice === 2 ? ['other'] : [line]
    })
    const after = `${changed.join('\n')}\n`
    if (after === before || changed.length === 0) continue
    const said = replacementsOf({ path: 'f', before, after }, blocksOf(diff(before, after)))
    let text = before
    for (const { old, new: young } of said.toReversed()) {
      expect(before.split(old)).toHaveLength(2)
      text =
        text.slice(0, text.lastIndexOf(old)) +
        young +
        text.slice(text.lastIndexOf(old) + old.length)
      edits += 1
    }
    expect(text).toBe(after)
  }
  expect(edits).toBeGreaterThan(60)
})

test.each([
  [
    'apart',
    [
      [1, 3],
      [9, 9],
    ],
    0,
    [
      [1, 3],
      [9, 9],
    ],
  ],
  [
    'that touch',
    [
      [4, 6],
      [1, 3],
    ],
    0,
    [[1, 6]],
  ],
  [
    'that overlap',
    [
      [1, 5],
      [3, 4],
    ],
    0,
    [[1, 5]],
  ],
  [
    'almost touching',
    [
      [1, 3],
      [6, 7],
    ],
    2,
    [[1, 7]],
  ],
])('ranges %s', (_, ranges, gap, merged) => {
  const asLines = (pairs: number[][]) => pairs.map(([start = 0, end = 0]) => ({ start, end }))
  expect(mergeRanges(asLines(ranges), gap)).toEqual(asLines(merged))
})
