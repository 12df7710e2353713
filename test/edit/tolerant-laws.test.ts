import { expect, test } from 'vitest'
import { matchLevels } from '#src/core/receipt.js'
import { applyTextEdits } from '#src/core/text-edit.js'
import { fitText } from '#src/formats/text/fit-text.js'
import type { Located } from '#src/formats/text/locate.js'
import type { PieceText } from '#src/formats/text/piece-text.js'
import { seededRandom } from '../support/random.js'
import { find, type OddCase, oddCase, open, utf8 } from './odd-cases.js'

const rounds = 3_000

test('whatever is found, bytes outside of it stay, one place is answered, and no stricter level has it', () => {
  const random = seededRandom(20_260_401)
  const counts: Record<string, number> = { refused: 0 }
  for (let round = 0; round < rounds; round += 1) {
    const asked = oddCase(random)
    const text = open(asked.bytes)
    const found = find(text, asked)
    if (found === undefined) {
      counts.refused = (counts.refused ?? 0) + 1
      continue
    }
    const { level, places } = found
    counts[level] = (counts[level] ?? 0) + 1
    const stricter = matchLevels.slice(0, matchLevels.indexOf(level))
    if (stricter.length > 0) expect(find(text, asked, stricter)).toBeUndefined()
    expect(places.length).toBe(1)
    const [place] = places
    if (place === undefined || level === 'exact') continue
    expectOutsideKept(text, asked, place)
  }
  console.log(`${rounds} odd edits`, counts)
  for (const level of matchLevels) expect(counts[level]).toBeGreaterThan(5)
})

/** The lines around the place, and within it those that the edit does not change, are where they were, byte for byte. */
function expectOutsideKept(
  text: PieceText,
  { bytes, lines, find: wanted, replacement }: OddCase,
  place: Located['places'][number],
): void {
  const { replacements } = fitText(text.table, place, { find: wanted, text: replacement })
  const start = text.table.text.slice(0, place.from).split('\n').length - 1
  const end = start + (place.lines?.at(-1) ?? 0) - (place.lines?.[0] ?? 0) + 1
  let after: Uint8Array
  try {
    after = applyTextEdits(bytes, text.splice(replacements, 0).edits())
  } catch (error) {
    expect(error).toMatchObject({ code: 'UNSUPPORTED_ENCODING' })
    return
  }
  const [head, tail] = [Buffer.concat(lines.slice(0, start)), Buffer.concat(lines.slice(end))]
  const isKept =
    head.equals(after.subarray(0, head.length)) &&
    tail.equals(after.subarray(after.length - tail.length))
  expect(isKept).toBe(true)
  if (wanted.trimEnd() === replacement.trimEnd()) expect(Buffer.compare(after, bytes)).toBe(0)
}

test('new lines that were indented once are left where they are', () => {
  const random = seededRandom(7)
  let indented = 0
  for (let round = 0; round < 2_000; round += 1) {
    const unit = random.pick(['  ', '    ', '\t', '   '])
    const sent = random.pick(['  ', '    ', '\t', '        '])
    const depths = Array.from({ length: random.int(1, 6) }, () => random.int(0, 4))
    const block = (step: string, base: number, mark: string): readonly string[] =>
      depths.map((depth, index) => `${step.repeat(base + depth)}${mark}${index}()`)
    const base = random.int(0, 3)
    const file = ['{', ...block(unit, base, 'old'), '}', ''].join('\n')
    const asked = {
      bytes: utf8(file),
      lines: [],
      path: 'a.ts',
      find: block(sent, 0, 'old').join('\n'),
      replacement: block(sent, 0, 'new').join('\n'),
    }
    const text = open(asked.bytes)
    const found = find(text, asked)
    const [place] = found?.places ?? []
    if (place === undefined) continue
    const exchange = { find: asked.find, text: asked.replacement }
    const fitted = fitText(text.table, place, exchange)
    if (fitted.reindented) indented += 1
    const once = text.splice(fitted.replacements, 0)
    if (found?.level === 'exact' && base > 0) continue
    expect(once.text).toBe(['{', ...block(unit, base, 'new'), '}', ''].join('\n'))
    const again = fitText(
      once.table,
      { ...place, lines: depths.map((_, line) => line + 1) },
      { find: block(unit, base, 'new').join('\n'), text: block(unit, base, 'newer').join('\n') },
    )
    const twice = once.splice(again.replacements, 1)
    expect(twice.text).toBe(['{', ...block(unit, base, 'newer'), '}', ''].join('\n'))
    expect(again.reindented).toBe(false)
  }
  console.log(`${indented} of 2000 blocks were indented anew`)
  expect(indented).toBeGreaterThan(500)
})
