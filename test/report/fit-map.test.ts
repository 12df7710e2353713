import { expect, test } from 'vitest'
import { fitMap, type MapSource } from '#src/report/fit-map.js'
import { type MapAnswer, renderMapText } from '#src/report/map-view.js'

const source = (ranked: readonly string[], more: Partial<MapSource> = {}): MapSource => ({
  path: '',
  head: 'head',
  sort: 'churn',
  ranked,
  symbols: new Map(ranked.map(path => [path, ['one', 'two', 'three', 'four'].map(n => `${n}Of`)])),
  unnamed: 0,
  depth: Infinity,
  goOn: 'name a directory',
  ...more,
})

const told = (answer: MapAnswer): number =>
  answer.files.length + answer.folded.reduce((sum, { files }) => sum + files, 0)

const bytes = (answer: MapAnswer): number => Buffer.byteLength(renderMapText(answer))

const shapes: readonly (readonly [name: string, paths: readonly string[]])[] = [
  ['one file', ['a.ts']],
  ['a flat directory', many(3_000, at => `${at}.ts`)],
  ['deep directories', many(500, at => `${'d/'.repeat(30)}${at}/f.ts`)],
  ['many directories', many(3_000, at => `packages/p${at}/src/index.ts`)],
  ['long names', many(500, at => `${'n'.repeat(200)}/${'m'.repeat(200)}${at}.ts`)],
  ['other letters', many(1_000, at => `ü ber/日本語 ${at}/"${at}".ts`)],
  ['a tree', many(4_000, at => `${at % 7}/${at % 31}/${at % 5}/f${at}.ts`)],
]

function many(count: number, name: (at: number) => string): readonly string[] {
  return Array.from({ length: count }, (_, at) => name(at))
}

test.each(shapes)('%s: never over the budget, and every file is named or counted', (_, paths) => {
  for (const maxBytes of [1_000, 2_000, 5_000, 12_288, 30_720]) {
    const answer = fitMap(source(paths), maxBytes)
    expect([maxBytes, bytes(answer) <= maxBytes]).toEqual([maxBytes, true])
    expect([maxBytes, told(answer)]).toEqual([maxBytes, paths.length])
    expect(answer.truncated).toBe(answer.files.length < paths.length)
  }
})

test('more budget shows more, and a budget that is short is used', () => {
  const paths = many(4_000, at => `${at % 7}/${at % 31}/f${at}.ts`)
  const shown = [1_000, 2_000, 5_000, 12_288, 30_720].map(maxBytes =>
    fitMap(source(paths), maxBytes),
  )
  const counts = shown.map(({ files }) => files.length)
  expect(counts).toEqual(counts.toSorted((a, b) => a - b))
  for (const answer of shown.slice(1)) expect(bytes(answer)).toBeGreaterThan(1_800)
})

test('names are told of those that come first, then three, then none', () => {
  const { files } = fitMap(source(many(4_000, at => `f${at}.ts`)), 12_288)
  const steps = files.map(({ symbols }) => symbols.length)
  expect(steps).toEqual(steps.toSorted((a, b) => b - a))
  expect([...new Set(steps)]).toEqual([4, 3, 0])
})

test('what lies deeper than asked is counted', () => {
  const answer = fitMap(source(['a.ts', 'd/b.ts', 'd/e/c.ts'], { depth: 1 }), 12_288)
  expect(renderMapText(answer).split('\n')).toEqual([
    '2 of 3 files, the most worked on first; +n: files not named',
    'a.ts: oneOf twoOf threeOf fourOf',
    'd/',
    ' b.ts: oneOf twoOf threeOf fourOf',
    ' e/ +1',
    '(name a directory)',
  ])
})

test('a name with blanks or breaks is quoted, so that it is one name', () => {
  const paths = ['a b.ts', 'x\n(all 9 files shown).ts', 'c.ts']
  const answer = fitMap(source(paths, { symbols: new Map() }), 12_288)
  expect(renderMapText(answer).split('\n').slice(1)).toEqual([
    '"a b.ts" "x\\n(all 9 files shown).ts" c.ts',
  ])
})
