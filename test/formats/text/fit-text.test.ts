import { describe, expect, test } from 'vitest'
import { alignLines, hunksBetween } from '#src/formats/text/align-lines.js'
import { compareLine } from '#src/formats/text/common-characters.js'
import { indentUnit } from '#src/formats/text/indent.js'
import { seededRandom } from '../../support/random.js'

describe('indentUnit', () => {
  test.each<[string, string | undefined]>([
    ['a\n\tb\n\t\tc\n', '\t'],
    ['a\n  b\n    c\n', '  '],
    ['a\n    b\n\n        c\n', '    '],
    ['a\n   b\n', '   '],
    ['a\n        b\n', '        '],
    ['a\n * b\n  c\n    d\n      e\n', '  '],
    ['a\nb\n', undefined],
    ['', undefined],
  ])('%j', (text, unit) => expect(indentUnit(text.split('\n'))).toBe(unit))
})

describe('compareLine', () => {
  /** The longest common subsequence as the book has it. */
  function common(one: string, other: string): number {
    let row = new Array<number>(other.length + 1).fill(0)
    for (const letter of one.split('')) {
      const next = [0]
      for (let at = 1; at <= other.length; at += 1) {
        const kept = Math.max(row[at] ?? 0, next[at - 1] ?? 0)
        next.push(letter === other[at - 1] ? (row[at - 1] ?? 0) + 1 : kept)
      }
      row = next
    }
    return row.at(-1) ?? 0
  }

  test('counts what two lines have in common', () => {
    const random = seededRandom(4)
    const line = (): string =>
      Array.from({ length: random.int(0, 100) }, () => random.pick([...'abcé '])).join('')
    const pairs = Array.from({ length: 500 }, () => [line(), line()] as const)
    pairs.push(['', ''], ['a'.repeat(64), 'a'.repeat(64)], ['ab'.repeat(32), 'b'.repeat(70)])
    const wrong = pairs.filter(
      ([one, other]) => compareLine(one).commonWith(other) !== common(one, other),
    )
    expect([pairs.length, wrong]).toEqual([503, []])
  })
})

describe('alignLines', () => {
  const align = (before: string, after: string): readonly (number | undefined)[] =>
    alignLines({
      before: before.length,
      after: after.length,
      isEqual: (line, other) => before[line] === after[other],
      worth: (line, other) => (before[line] === after[other] ? 1 : 0),
      affords: () => true,
    })

  test.each([
    ['abc', 'abc', [0, 1, 2]],
    ['abc', 'abxc', [0, 1, 3]],
    ['abc', 'ac', [0, undefined, 1]],
    ['abcd', 'xbycz', [undefined, 1, 3, undefined]],
    ['', 'a', []],
    ['a', '', [undefined]],
    ['aab', 'ab', [0, undefined, 1]],
  ])('%s with %s', (before, after, pairs) => {
    expect(align(before, after)).toEqual(pairs)
  })

  test('what cannot be afforded is left unpaired between the ends', () => {
    const pairing = { before: 3, after: 3, worth: () => 1, affords: () => false }
    const isEqual = (line: number, other: number): boolean => line === other && line !== 1
    expect(alignLines({ ...pairing, isEqual })).toEqual([0, undefined, 2])
  })

  test('hunks lead from one list to the other', () => {
    const random = seededRandom(5)
    const word = (): string =>
      Array.from({ length: random.int(0, 12) }, () => random.pick([...'abc'])).join('')
    for (let round = 0; round < 500; round += 1) {
      const [before, after] = [word(), word()]
      let built = ''
      let at = 0
      for (const hunk of hunksBetween(align(before, after), after.length)) {
        built += before.slice(at, hunk.oldStart) + after.slice(hunk.newStart, hunk.newEnd)
        at = hunk.oldEnd
      }
      expect(built + before.slice(at)).toBe(after)
    }
  })
})
