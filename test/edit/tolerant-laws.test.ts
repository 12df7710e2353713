import { expect, test } from 'vitest'
import { Refusal } from '#src/core/errors.js'
import { type MatchLevel, matchLevels } from '#src/core/receipt.js'
import { applyTextEdits } from '#src/core/text-edit.js'
import { fitText } from '#src/formats/text/fit-text.js'
import { type Located, locate } from '#src/formats/text/locate.js'
import { PieceText } from '#src/formats/text/piece-text.js'
import { openText } from '#src/formats/text/text-file.js'
import { whiteSpaceOf } from '#src/formats/text/white-space.js'
import { type Random, seededRandom } from '../support/random.js'

const endings = ['\n', '\n', '\r\n', '\n', '\r\n']
const indents = ['', '  ', '    ', '\t', '\t\t', ' \t', '      ']
const words = ['alpha', 'b', '= 1', '(x,  y)', '“c”', 'é', '👍', '{', '}', 'return', '\tz', '']

/** A file of odd lines, of which some are alike. */
function oddLines(random: Random): readonly string[] {
  const line = (): string => {
    const text = Array.from({ length: random.int(0, 5) }, () => random.pick(words)).join(' ')
    return random.pick(indents) + text + random.pick(['', '', '', ' ', '\t'])
  }
  const lines = Array.from({ length: random.int(3, 30) }, line)
  return lines.flatMap(text => (random.int(0, 6) === 0 ? [text, text] : [text]))
}

const distortions: readonly ((line: string, random: Random) => string)[] = [
  line => line,
  line => line.trimEnd(),
  line => `${line}  `,
  (line, random) => random.pick(indents) + line.trim(),
  line => `  ${line}`,
  line => line.replace(/\t/g, '    '),
  line => line.replace(/(\S)[ \t]+/g, '$1 '),
  line => line.replaceAll('“', '"').replaceAll('”', '"'),
  (line, random) => (random.int(0, 4) === 0 ? line.replace('alpha', 'alphas') : line),
  (line, random) => (random.int(0, 8) === 0 ? 'something else' : line),
]

interface Case {
  readonly bytes: Uint8Array
  readonly lines: readonly Uint8Array[]
  readonly find: string
  readonly replacement: string
  readonly path: string
}

function oddCase(random: Random): Case {
  const encode = random.pick([utf8, utf8, marked, utf16, stray])
  const texts = oddLines(random)
  const last = random.pick(['', '\n', '\r\n'])
  const ends = texts.map((_, index) => (index === texts.length - 1 ? last : random.pick(endings)))
  const lines = texts.map((text, index) => encode(text + ends[index], index))
  const start = random.int(0, texts.length)
  const size = random.int(1, 8)
  const distort = random.pick(distortions)
  const wanted = texts.slice(start, start + size).map(text => distort(text, random))
  const young = wanted.flatMap(text =>
    random.pick([[text], [text], [text], [], [`${text};`], [text, `${text}  + 2`], ['    new()']]),
  )
  const end = random.pick(['', '\n'])
  return {
    bytes: Buffer.concat(lines),
    lines,
    find: wanted.join('\n') + end,
    replacement: young.join('\n') + random.pick([end, end, '', '\n']),
    path: random.pick(['a.ts', 'a.ts', 'a.py', 'a.md', 'Makefile']),
  }
}

const utf8 = (text: string): Uint8Array => Buffer.from(text)
const marked = (text: string, line: number): Uint8Array =>
  Buffer.from(line === 0 ? `\ufeff${text}` : text)
const utf16 = (text: string, line: number): Uint8Array =>
  Buffer.from(line === 0 ? `\ufeff${text}` : text, 'utf16le')
/** Every seventh line holds a byte that is no text. */
const stray = (text: string, line: number): Uint8Array =>
  line % 7 === 3 ? Buffer.concat([Buffer.from([0xe4]), Buffer.from(text)]) : Buffer.from(text)

function open(bytes: Uint8Array): PieceText {
  const file = openText(bytes)
  if (file === undefined) throw new Error('not text')
  return PieceText.of(file)
}

/** What is found of a case; undefined where it is refused. */
function find(
  text: PieceText,
  { find: wanted, replacement, path }: Case,
  levels: readonly MatchLevel[] = matchLevels,
): Located | undefined {
  if (wanted === '') return undefined
  const whiteSpace = whiteSpaceOf(path, text.text)
  try {
    return locate(
      text,
      { find: wanted, count: 'one', replacement },
      { levels, minSimilarity: 0.7, whiteSpace },
    )
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

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
  { bytes, lines, find: wanted, replacement }: Case,
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
