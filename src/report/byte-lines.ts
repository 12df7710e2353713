import type { TextEncoding } from '../formats/text/decode.js'
import { lastAtMost } from '../formats/text/line-index.js'

/** The character that ends a line, and how it is written in bytes. */
export interface LineBreak {
  readonly code: 0x0a | 0x0d
  readonly encoding: TextEncoding
}

/** What ends a line for git, in any file. */
export const gitBreak: LineBreak = { code: 0x0a, encoding: 'utf-8' }

/** The lines of a file in bytes, from 0, each with its break, the last perhaps without one. */
export interface ByteLines {
  readonly lineBreak: LineBreak
  readonly count: number
  /** The line that holds a byte; the very end of a file that ends with a break is one past the last line. */
  lineAt(offset: number): number
  /** Where a line starts; the end of the file for any line past the last. */
  startOf(line: number): number
  /** Lines `from` (included) to `to` (excluded). */
  slice(from: number, to: number): Uint8Array[]
}

/** Finds the lines of a file. */
export function byteLines(bytes: Uint8Array, lineBreak: LineBreak): ByteLines {
  const starts = lineStarts(bytes, lineBreak)
  const count = starts.at(-1) === bytes.length ? starts.length - 1 : starts.length
  const startOf = (line: number): number => starts[line] ?? bytes.length
  return {
    lineBreak,
    count,
    startOf,
    lineAt: offset => lastAtMost(starts, offset),
    slice: (from, to) =>
      Array.from({ length: Math.min(to, count) - from }, (_, index) =>
        bytes.subarray(startOf(from + index), startOf(from + index + 1)),
      ),
  }
}

/** The start of the file and every place behind a break. */
function lineStarts(bytes: Uint8Array, { code, encoding }: LineBreak): readonly number[] {
  const starts = [0]
  for (let at = bytes.indexOf(code); at >= 0; at = bytes.indexOf(code, at + 1)) {
    if (isCharacter(bytes, at, encoding)) starts.push(encoding === 'utf-16le' ? at + 2 : at + 1)
  }
  return starts
}

/** True unless the byte is only half of another UTF-16 character. */
function isCharacter(bytes: Uint8Array, at: number, encoding: TextEncoding): boolean {
  if (encoding === 'utf-16le') return at % 2 === 0 && bytes[at + 1] === 0
  if (encoding === 'utf-16be') return at % 2 === 1 && bytes[at - 1] === 0
  return true
}
