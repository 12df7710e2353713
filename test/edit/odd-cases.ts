import { Refusal } from '#src/core/errors.js'
import { type MatchLevel, matchLevels } from '#src/core/receipt.js'
import { type Located, locate } from '#src/formats/text/locate.js'
import { PieceText } from '#src/formats/text/piece-text.js'
import { openText } from '#src/formats/text/text-file.js'
import { whiteSpaceOf } from '#src/formats/text/white-space.js'
import type { Random } from '../support/random.js'

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

/** A search for lines of a file as somebody miscopied them. */
export interface OddCase {
  readonly bytes: Uint8Array
  readonly lines: readonly Uint8Array[]
  readonly find: string
  readonly replacement: string
  readonly path: string
}

/** Chance makes the file and the miscopy. */
export function oddCase(random: Random): OddCase {
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

export const utf8 = (text: string): Uint8Array => Buffer.from(text)
const marked = (text: string, line: number): Uint8Array =>
  Buffer.from(line === 0 ? `\ufeff${text}` : text)
const utf16 = (text: string, line: number): Uint8Array =>
  Buffer.from(line === 0 ? `\ufeff${text}` : text, 'utf16le')
/** Every seventh line holds a byte that is no text. */
const stray = (text: string, line: number): Uint8Array =>
  line % 7 === 3 ? Buffer.concat([Buffer.from([0xe4]), Buffer.from(text)]) : Buffer.from(text)

/** A file as text to search. */
export function open(bytes: Uint8Array): PieceText {
  const file = openText(bytes)
  if (file === undefined) throw new Error('not text')
  return PieceText.of(file)
}

/** What is found of a case; undefined where it is refused. */
export function find(
  text: PieceText,
  { find: wanted, replacement, path }: OddCase,
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
