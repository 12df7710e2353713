import type { LineIndex, NormalisedText } from './line-index.js'

/** FNV-1a of 32 bits: where it begins, and one step of it. */
export const fnvBasis = 0x811c9dc5

export function mixHash(hash: number, value: number): number {
  return Math.imul(hash ^ value, 0x01000193) >>> 0
}

const known = new WeakMap<LineIndex, Uint32Array>()

/**
 * A hash of every line, and of the empty one behind a final break: of its bytes in UTF-8 without the
 * white space around them, runs of ASCII white space taken as one space. Worked out once for a text.
 */
export function lineHashes({ text, lines }: NormalisedText): Uint32Array {
  const made = known.get(lines)
  if (made !== undefined) return made
  const isClosed = text === '' || lines.hasFinalNewline
  const hashes = new Uint32Array(lines.count + (isClosed ? 1 : 0))
  for (let line = 1; line <= hashes.length; line += 1) {
    hashes[line - 1] = hashLine(text, lines.startOf(line), lines.endOf(line))
  }
  known.set(lines, hashes)
  return hashes
}

function hashLine(text: string, start: number, end: number): number {
  let from = start
  let to = end
  while (from < to && isSpace(text.charCodeAt(from))) from += 1
  while (to > from && isSpace(text.charCodeAt(to - 1))) to -= 1
  let hash = fnvBasis
  let wasSpace = false
  for (let at = from; at < to; ) {
    const code = text.codePointAt(at) ?? 0
    const isBlank = isAsciiSpace(code)
    if (!isBlank) hash = mixCharacter(hash, code)
    else if (!wasSpace) hash = mixHash(hash, 0x20)
    wasSpace = isBlank
    at += code > 0xffff ? 2 : 1
  }
  return hash
}

/** The bytes of a character in UTF-8; a byte that was no text stands in the view as U+DC00 plus itself. */
function mixCharacter(hash: number, code: number): number {
  if (code < 0x80) return mixHash(hash, code)
  if (code >= 0xdc80 && code <= 0xdcff) return mixHash(hash, code - 0xdc00)
  if (code < 0x800) return mixTail(mixHash(hash, 0xc0 | (code >> 6)), code, 0)
  if (code < 0x10000) return mixTail(mixHash(hash, 0xe0 | (code >> 12)), code, 6)
  return mixTail(mixHash(hash, 0xf0 | (code >> 18)), code, 12)
}

function mixTail(start: number, code: number, highest: number): number {
  let hash = start
  for (let bits = highest; bits >= 0; bits -= 6)
    hash = mixHash(hash, 0x80 | ((code >> bits) & 0x3f))
  return hash
}

function isAsciiSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0c || code === 0x0d
}

/** White space of Unicode, which is not what `trim` takes away: U+0085 is, U+FEFF is not. */
function isSpace(code: number): boolean {
  if (code < 0x80) return code === 0x20 || (code >= 0x09 && code <= 0x0d)
  return otherSpaces.has(code) || (code >= 0x2000 && code <= 0x200a)
}

const otherSpaces = new Set([0x85, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000])
