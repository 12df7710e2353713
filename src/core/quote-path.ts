const letterOf = new Map([
  [0x07, 'a'],
  [0x08, 'b'],
  [0x09, 't'],
  [0x0a, 'n'],
  [0x0b, 'v'],
  [0x0c, 'f'],
  [0x0d, 'r'],
  [0x22, '"'],
  [0x5c, '\\'],
])
const byteOf = new Map([...letterOf].map(([byte, letter]) => [letter, byte]))

/** A path as git prints it (core.quotePath on): bare where it is plain, else in double quotes with C escapes. */
export function quotePath(path: string): string {
  return /^[ !#-[\]-~]*$/.test(path) ? path : cQuote(path)
}

/** Any text in double quotes with git's C escapes, also where git would leave it bare. */
export function cQuote(text: string): string {
  const bytes = new TextEncoder().encode(text)
  return `"${Array.from(bytes, escapeByte).join('')}"`
}

/** The path that `quotePath` or git wrote; undefined where the quoting is broken or the name is not UTF-8. */
export function unquotePath(text: string): string | undefined {
  if (!text.startsWith('"')) return text
  const inner = /^"((?:[^"\\]|\\(?:[abtnvfr"\\]|[0-3][0-7]{2}))*)"$/.exec(text)?.[1]
  if (inner === undefined) return undefined
  const pieces = inner.match(/\\[0-7]{3}|\\.|[^\\]+/g) ?? []
  return decodeName(pieces.flatMap(pieceBytes))
}

function escapeByte(byte: number): string {
  const letter = letterOf.get(byte)
  if (letter !== undefined) return `\\${letter}`
  if (byte >= 0x20 && byte < 0x7f) return String.fromCharCode(byte)
  return `\\${byte.toString(8).padStart(3, '0')}`
}

function pieceBytes(piece: string): number[] {
  if (!piece.startsWith('\\')) return [...new TextEncoder().encode(piece)]
  return [byteOf.get(piece.slice(1)) ?? Number.parseInt(piece.slice(1), 8)]
}

function decodeName(bytes: readonly number[]): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes))
  } catch {
    return undefined
  }
}
