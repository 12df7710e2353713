import type { Random } from '../support/random.js'
import type { LineEdit } from './say-edit.js'

const words = ['alpha', 'beta()', '= 1', '(x,  y)', '“c”', 'é', '👍', '{', '}', 'return', '$&', '']
const indents = ['', '  ', '    ', '\t']

/** A file with its lines as bytes. */
export interface OddFile {
  readonly encoding: keyof typeof encodings
  readonly bytes: Uint8Array
  /** Each with its break. */
  readonly lines: readonly Uint8Array[]
  readonly texts: readonly string[]
  readonly endings: readonly string[]
  readonly isMixed: boolean
  /** It can be written as a text, behind its mark. */
  readonly isUtf8: boolean
  readonly mark: '' | '\ufeff'
  /** The text without the mark. */
  decode(bytes: Uint8Array): string
}

/** A line of a file as bytes. */
type Encode = (line: string, index: number) => Buffer

const utf8: Encode = line => Buffer.from(line)
const utf16: Encode = line => Buffer.from(line, 'utf16le')
const marked =
  (encode: Encode): Encode =>
  (line, index) =>
    encode(index === 0 ? `\ufeff${line}` : line, index)

/** Every seventh line holds a byte that is no text. */
const strayLine = (index: number): boolean => index % 7 === 3

const encodings = {
  'utf-8': utf8,
  'utf-8 with a mark': marked(utf8),
  'utf-16le': marked(utf16),
  'utf-16be': (line, index) => marked(utf16)(line, index).swap16(),
  'stray bytes': (line, index) =>
    strayLine(index) ? Buffer.concat([Buffer.from([0xe4]), utf8(line, index)]) : utf8(line, index),
} as const satisfies Readonly<Record<string, Encode>>

const encodingNames = Object.keys(encodings) as (keyof typeof encodings)[]

/** Chance makes its lines, of which some are alike, its encoding and its endings. */
export function oddFile(random: Random): OddFile {
  const texts = Array.from({ length: random.int(2, 30) }, (_, index) => oddLine(random, index))
  const style = random.pick(['\n', '\n', '\r\n', '\r', 'mixed'])
  // An empty line without a break is none.
  const isOpen = texts.at(-1) !== '' && random.int(0, 3) === 0
  const last = isOpen ? '' : style === 'mixed' ? '\n' : style
  const endings = texts.map((_, index) => {
    if (index === texts.length - 1) return last
    return style === 'mixed' ? random.pick(['\n', '\r\n']) : style
  })
  const encoding = random.pick(encodingNames)
  const lines = texts.map((text, index) => encodings[encoding](text + endings[index], index))
  return {
    encoding,
    bytes: new Uint8Array(Buffer.concat(lines)),
    lines,
    texts,
    endings,
    isMixed: style === 'mixed',
    isUtf8: encoding === 'utf-8' || encoding === 'utf-8 with a mark',
    mark: encoding === 'utf-8' || encoding === 'stray bytes' ? '' : '\ufeff',
    decode: bytes => decode(encoding, Buffer.from(bytes)),
  }
}

function oddLine(random: Random, index: number): string {
  if (random.int(0, 4) === 0) return random.pick(['', '}', '  return'])
  const body = Array.from({ length: random.int(1, 4) }, () => random.pick(words)).join(' ')
  return `${random.pick(indents)}n${random.int(0, 90) + index} ${body}`
}

function decode(encoding: OddFile['encoding'], bytes: Buffer): string {
  const wide = encoding === 'utf-16be' ? Buffer.from(bytes).swap16() : bytes
  const text = wide.toString(encoding.startsWith('utf-16') ? 'utf16le' : 'utf8')
  return text.replace(/^\ufeff/, '')
}

/** Lines of the file that stand there once, and what shall stand there instead. */
export function oddEdit(
  random: Random,
  { texts, endings, encoding, isMixed }: OddFile,
): Required<Omit<LineEdit, 'path' | 'rev'>> {
  const isPlain = (line: number): boolean =>
    line >= 0 && line < texts.length && !(encoding === 'stray bytes' && strayLine(line))
  const whole = `\n${texts.join('\n')}\n`
  for (;;) {
    const start = random.int(0, texts.length)
    const size = random.int(1, 4)
    const wanted = texts.slice(start, start + size)
    const isAllPlain = wanted.every((_, index) => isPlain(start + index))
    const sought = wanted.join('\n')
    if (!isAllPlain || sought.trim() === '' || whole.split(sought).length !== 2) continue
    // Of endings that are mixed it matters whether a line is replaced by itself or kept.
    const kept = isMixed ? [] : ['', wanted.at(-1) ?? '']
    const young = Array.from({ length: random.int(1, 5) }, (_, index) =>
      random.pick([`${wanted[0]}new${index}`, `  more(${index}) “x”`, ...kept]),
    )
    if (young.join('\n') === sought || young.every(line => line === '')) continue
    const around = random.int(0, 4)
    const beside = (from: number, step: number): number[] => {
      const lines: number[] = []
      for (let line = from; lines.length < around && isPlain(line); line += step) lines.push(line)
      return lines
    }
    const end = start + wanted.length
    const isOpen = end === texts.length && endings.at(-1) === ''
    return {
      start,
      wanted,
      young,
      above: beside(start - 1, -1)
        .toReversed()
        .map(line => texts[line] ?? ''),
      below: beside(end, 1).map(line => texts[line] ?? ''),
      isOpen,
      // Of endings that are mixed it matters whether the last one is said.
      saysBreak: !isOpen && (isMixed || random.int(0, 2) === 0),
    }
  }
}
