import { expect, test } from 'vitest'
import { openText, type TextFile } from '#src/formats/text/text-file.js'
import { driftOf, placesOf, readCosts } from '../../scripts/bench/anchor-drift.mjs'

const opened = (...lines: readonly string[]): TextFile => {
  const file = openText(new TextEncoder().encode(lines.map(line => `${line}\n`).join('')))
  if (file === undefined) throw new Error('no text')
  return file
}

test.each<[string, 'content' | 'chunk', TextFile, TextFile, Record<string, number>]>([
  ['nothing changed', 'chunk', opened('a', 'b'), opened('a', 'b'), { valid: 2 }],
  ['all moved', 'chunk', opened('a', 'b'), opened('x', 'a', 'b'), { 'shifted by block': 2 }],
  ['all moved', 'content', opened('a', 'b'), opened('x', 'a', 'b'), { 'shifted by line': 2 }],
  ['one went', 'content', opened('a', 'b'), opened('b'), { refused: 1, 'shifted by line': 1 }],
  ['a twin', 'content', opened('}', 'a', '}'), opened('a', '}', '}'), { twin: 1 }],
])('counts what became of anchors: %s under %s', (_, scheme, read, now, fates) => {
  const counts = Object.fromEntries(driftOf(read, now, scheme, placesOf(read, now) ?? []))
  expect(counts).toMatchObject(fates)
  expect(Object.values(counts).reduce((sum, one) => sum + one, 0)).toBe(read.lines.count)
})

test('counts what a view costs', () => {
  const costs = readCosts(opened('a', 'b'))
  expect(costs.plain).toEqual({ bytes: 3, characters: 3 })
  expect(costs.numbered).toEqual({ bytes: 7, characters: 7 })
  // An arrow is one character of three bytes.
  expect(costs.content).toEqual({ bytes: 19, characters: 15 })
  expect(costs.chunk).toEqual({ bytes: 27, characters: 23 })
})
