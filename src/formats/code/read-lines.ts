import type { Declaration } from './declaration.js'
import type { Lexis, LinePattern } from './language.js'
import type { Lines } from './lines.js'
import { type Found, nestFound, refineByLines } from './nest-found.js'

/** Characters of a line that a pattern sees. */
const seenChars = 400

const tabWidth = 4

interface Open {
  readonly found: Omit<Found, 'to'>
  readonly indent: number
}

const comments: Readonly<Record<Lexis, RegExp>> = {
  slashes: /^\s*(?:\/\/|\/\*|\*)/,
  hash: /^\s*#/,
  dashes: /^\s*--/,
  markup: /^\s*<!--/,
}

/** A line that ends what began at its own indentation. */
const closer = /^\s*(?:[}\])]|(?:end|fi|done|esac)\b)/

/** A line that goes on with a head that takes several lines. */
const continuation = /^\s*(?:\{\s*$|[\])].*[{:]\s*$)/

/**
 * Declarations found line by line, without a parser. Each ends where the indentation comes back to
 * its own; so damage elsewhere in the file changes nothing.
 */
export function readLines(
  lines: Lines,
  patterns: readonly LinePattern[],
  lexis: Lexis,
): readonly Declaration[] {
  const found: Found[] = []
  const open: Open[] = []
  let start = 0
  let lastEnd = 0
  for (let line = 1; line <= lines.count; line += 1) {
    const text = lines.textOf(line)
    const end = start + text.length
    if (text.trim() !== '') {
      const indent = indentOf(text)
      closeThose(open, found, { text, indent, lastEnd, end })
      const name = comments[lexis].test(text) ? undefined : nameIn(text, patterns)
      if (name !== undefined) open.push({ found: placedAt(name, start, indent, text), indent })
      lastEnd = end
    }
    start = end + 1
  }
  for (const { found: last } of open) found.push({ ...last, to: lastEnd })
  return nestFound(lines.text, found, refineByLines)
}

interface LineHere {
  readonly text: string
  readonly indent: number
  readonly lastEnd: number
  readonly end: number
}

function closeThose(open: Open[], found: Found[], line: LineHere): void {
  if (continuation.test(line.text)) return
  const isCloser = closer.test(line.text)
  for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
    if (last.indent < line.indent) return
    open.pop()
    const to = isCloser && last.indent === line.indent ? line.end : line.lastEnd
    found.push({ ...last.found, to })
  }
}

function indentOf(text: string): number {
  const white = /^\s*/.exec(text)?.[0] ?? ''
  return white.replaceAll('\t', ' '.repeat(tabWidth)).length
}

interface NamedLine {
  readonly name: string
  readonly kind: LinePattern['kind']
  readonly nameAt: number
  readonly pattern: number
}

function nameIn(text: string, patterns: readonly LinePattern[]): NamedLine | undefined {
  const seen = text.slice(0, seenChars)
  for (const [index, { kind, pattern }] of patterns.entries()) {
    const match = pattern.exec(seen)
    const name = match?.groups?.name
    if (match === null || name === undefined) continue
    const nameAt = match.index + match[0].lastIndexOf(name)
    return { name, kind, nameAt, pattern: index }
  }
  return undefined
}

function placedAt(
  named: NamedLine,
  start: number,
  indent: number,
  text: string,
): Omit<Found, 'to'> {
  const white = indent === 0 ? 0 : text.length - text.trimStart().length
  return { ...named, flags: [], from: start + white, nameAt: start + named.nameAt }
}
