import { type DecodedText, decodeText, type TextEncoding } from './decode.js'
import { feedBreaks, type LineIndex, normaliseBreaks } from './line-index.js'

/** A file read as text: a view whose breaks are all LF, and the way back to its bytes. */
export interface TextFile {
  readonly encoding: TextEncoding
  readonly bytes: Uint8Array
  /** The view that is searched and edited. */
  readonly text: string
  readonly lines: LineIndex
  /** False where some bytes could not be decoded; they stand in `text` as lone surrogates. */
  readonly isLossless: boolean
  /** The byte at which the character at an offset of `text` begins. A CRLF break begins at its CR. */
  byteOffset(offset: number): number
  /** A text from outside in the form of this view: CRLF is LF, and so is CR where this file breaks its lines by CR. */
  normalise(text: string): string
}

/** Opens a file as text; undefined where it is binary or cannot be decoded without loss. */
export function openText(bytes: Uint8Array): TextFile | undefined {
  const decoded = decodeText(bytes)
  return decoded && viewOf(bytes, decoded)
}

/** The view of a file that `openText` opens, for those who only read it. */
export function viewText(bytes: Uint8Array): string | undefined {
  const raw = decodeText(bytes)?.text
  return raw === undefined ? undefined : feedBreaks(raw)
}

function viewOf(bytes: Uint8Array, decoded: DecodedText): TextFile {
  const { text, lines } = normaliseBreaks(decoded.text)
  const breaksByCarriageReturn = lines.dominantEnding === '\r'
  return {
    encoding: decoded.encoding,
    bytes,
    text,
    lines,
    get isLossless() {
      return text.isWellFormed()
    },
    byteOffset: offset => decoded.byteOffset(lines.rawOffset(offset)),
    normalise: other => {
      const fed = other.replaceAll('\r\n', '\n')
      return breaksByCarriageReturn ? fed.replaceAll('\r', '\n') : fed
    },
  }
}
