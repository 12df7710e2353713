/** Files that say by their mark that they are UTF-16: a pattern of `git grep -P`. */
export const utf16Marks = String.raw`^(?:\xff\xfe|\xfe\xff)`

/**
 * A pattern of `git grep -P` for a text in UTF-8 and in UTF-16 of either order; it takes no longer than the text alone.
 * What stands in UTF-16 with a byte that git takes for the end of a line is found by the mark of its file.
 */
export function literalPattern(text: string): string {
  const escaped = text.replace(/[^\w\u0080-\uffff]/g, '\\$&')
  return [...new Set([escaped, ...utf16Patterns(text)])].join('|')
}

function utf16Patterns(text: string): readonly string[] {
  // Little-endian without its last byte is big-endian without its first.
  if (/^[\w\t -~]*$/.test(text)) return [[...text].map(escapeAscii).join(String.raw`\x00`)]
  const bytes = [...Buffer.from(text, 'utf16le')]
  if (bytes.includes(lineFeed)) return [utf16Marks]
  const littleEndian = bytes.map(hex)
  const bigEndian = littleEndian.map((_, at) => littleEndian[at ^ 1])
  return [littleEndian.join(''), bigEndian.join('')]
}

const lineFeed = 10

function escapeAscii(character: string): string {
  return character.replace(/\W/, '\\$&')
}

function hex(byte: number): string {
  return `\\x${byte.toString(16).padStart(2, '0')}`
}
