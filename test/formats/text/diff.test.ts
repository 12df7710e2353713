import { expect, test } from 'vitest'
import { applyTextEdits } from '#src/core/text-edit.js'
import { diffLines } from '#src/formats/text/diff.js'
import { diffEdits } from '#src/formats/text/diff-edits.js'
import { seededRandom } from '../../support/random.js'

test.each([
  ['nothing', 'abc', 'abc', []],
  ['an insert', 'abc', 'abxc', [[2, 2, 2, 3]]],
  ['a removal', 'abc', 'ac', [[1, 2, 1, 1]]],
  [
    'two places',
    'abcde',
    'xbcdy',
    [
      [0, 1, 0, 1],
      [4, 5, 4, 5],
    ],
  ],
  ['everything', 'ab', 'xy', [[0, 2, 0, 2]]],
  ['from nothing', '', 'ab', [[0, 0, 0, 2]]],
  ['to nothing', 'ab', '', [[0, 2, 0, 0]]],
] as const)('lines are compared: %s', (_, before, after, wanted) => {
  const found = diffLines([...before], [...after], 100)
  expect(found.map(part => [part.oldStart, part.oldEnd, part.newStart, part.newEnd])).toEqual(
    wanted,
  )
})

test('above the limit the middle is one replacement', () => {
  expect(diffLines([...'abcde'], [...'axcye'], 5)).toEqual([
    { oldStart: 1, oldEnd: 4, newStart: 1, newEnd: 4 },
  ])
})

test('lines that share nothing are one replacement, though they are many', () => {
  const numbered = (mark: string): string[] =>
    Array.from({ length: 900 }, (_, at) => `${mark}${at}`)
  expect(diffLines(numbered('a'), numbered('b'), 2_000)).toEqual([
    { oldStart: 0, oldEnd: 900, newStart: 0, newEnd: 900 },
  ])
})

test('edits lead from one text to the other, whatever its endings and stray bytes', () => {
  const random = seededRandom(3)
  for (let round = 0; round < 200; round += 1) {
    const before = new TextEncoder().encode(random.text(40))
    const after = Uint8Array.from(before, byte =>
      random.int(0, 8) === 0 ? random.int(1, 256) : byte,
    )
    const edits = diffEdits(before, after, 2_000)
    if (edits !== undefined) expect(applyTextEdits(before, edits)).toEqual(after)
  }
})

test.each([
  ['binary', [0], [0x61]],
  ['another encoding', [0x61], [0xef, 0xbb, 0xbf, 0x61]],
])('%s is not compared', (_, before, after) => {
  expect(diffEdits(Uint8Array.from(before), Uint8Array.from(after), 100)).toBeUndefined()
})
