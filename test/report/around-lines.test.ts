import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CodeSymbol } from '#src/core/outline.js'
import { linesAround } from '#src/report/around-lines.js'

type Told = readonly [string, number, number, (readonly Told[])?]

function symbolOf([name, start, end, children = []]: Told): CodeSymbol {
  const lines = { start_line: start, end_line: end, name_line: start }
  return { name, kind: 'method', flags: [], ...lines, children: children.map(symbolOf) }
}

/** A class with methods, one with functions of its own, then a declaration longer than is shown whole. */
const file: readonly Told[] = [
  [
    'Class',
    10,
    100,
    [
      ['first', 12, 20],
      [
        'second',
        22,
        60,
        [
          ['inner', 24, 30],
          ['other', 32, 50],
        ],
      ],
      ['third', 62, 64],
      ['fourth', 66, 98],
    ],
  ],
  ['long', 110, 400, [['longer', 120, 390, [['short', 130, 131]]]]],
]

test.each<[string, readonly string[], readonly string[]]>([
  ['the innermost declaration', ['35'], ['32-50']],
  ['one range of it', ['33-40'], ['32-50']],
  ['others in it are folded to their ends', ['23'], ['22-24', '30-32', '50-60']],
  ['also of a class', ['11'], ['10-12', '20-22', '60-66', '98-100']],
  ['a range over two holds both', ['13-23'], ['10-24', '30-32', '50-66', '98-100']],
  ['several lines, each with its own', ['13', '97'], ['12-20', '66-98']],
  ['no fold holds what is asked for', ['11', '67'], ['10-12', '20-22', '60-100']],
  ['a short one with lines beside it', ['63'], ['61-65']],
  ['outside of all: the lines around, folded too', ['5'], ['1-12', '20-25']],
  ['in a very long one: its head and the lines around', ['300'], ['110-110', '120-120', '280-320']],
  ['a short one in a very long one', ['130'], ['128-133']],
  ['near the end of the file', ['499'], ['479-500']],
  ['beyond the file it stays, to be refused', ['501-502'], ['501-502']],
  ['the end of a range may lie beyond', ['499-900'], ['479-500']],
  ['to the end', ['490-'], ['470-500']],
])('%s', (_, wanted, expected) => {
  const ranges = wanted.map(rangeOf)
  expect(linesAround(file.map(symbolOf), ranges, 500).map(sayRange)).toEqual(expected)
})

test('without declarations, what is near is shown as one', () => {
  const ranges = ['50', '92', '140'].map(rangeOf)
  expect(linesAround([], ranges, 500).map(sayRange)).toEqual(['30-112', '120-160'])
})

/** Declarations as parsers tell them: in order, each inside its outer one, sometimes two on a line. */
const symbols = fc.letrec<{ all: readonly Told[] }>(tie => ({
  all: fc
    .array(
      fc.tuple(fc.nat(40), fc.nat(120), fc.oneof({ maxDepth: 3 }, fc.constant([]), tie('all'))),
      { maxLength: 4 },
    )
    .map(rows => {
      let at = 1
      return rows.map(([gap, height, children]): Told => {
        const start = at + gap
        const end = start + height
        at = end
        const moved = shift(children as readonly Told[], start)
        return ['f', start, end, moved.filter(([, , last]) => last <= end)]
      })
    }),
})).all

function shift(told: readonly Told[], by: number): readonly Told[] {
  return told.map(
    ([name, start, end, children = []]): Told => [name, start + by, end + by, shift(children, by)],
  )
}

test('whatever is declared: what is asked for is shown, in order, and never twice', () => {
  const ranges = fc.array(
    fc.tuple(fc.integer({ min: 1, max: 400 }), fc.nat(30)).map(([start, more]) => ({
      start,
      end: start + more,
    })),
    { minLength: 1, maxLength: 4 },
  )
  fc.assert(
    fc.property(symbols, ranges, fc.integer({ min: 1, max: 500 }), (told, wanted, total) => {
      const shown = linesAround(told.map(symbolOf), wanted, total)
      const inside = shown.filter(({ start }) => start <= total)
      for (const [at, { start, end }] of inside.entries()) {
        expect(start).toBeGreaterThan(inside[at - 1]?.end ?? 0)
        expect(end).toBeGreaterThanOrEqual(start)
        expect(end).toBeLessThanOrEqual(total)
      }
      for (const { start, end } of wanted.filter(one => one.start <= total)) {
        const last = Math.min(end, total)
        expect(inside.some(one => one.start <= start && one.end >= last)).toBe(true)
      }
      expect(shown.length - inside.length).toBe(wanted.filter(one => one.start > total).length)
    }),
    { numRuns: 2_000 },
  )
})

function rangeOf(text: string): { readonly start: number; readonly end: number } {
  const [start = '', end = start] = text.split('-')
  return { start: Number(start), end: end === '' ? Number.MAX_SAFE_INTEGER : Number(end) }
}

function sayRange({ start, end }: { readonly start: number; readonly end: number }): string {
  return `${start}-${end}`
}
