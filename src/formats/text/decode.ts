import { sameBytes } from '../../core/text-edit.js'
import { decodeUtf8Lossless, utf8Offsets } from './utf8.js'

export type TextEncoding = 'utf-8' | 'utf-8-bom' | 'utf-16le' | 'utf-16be'

/** The text of a file, without its byte order mark, and where each part of it stands in the bytes. */
export interface DecodedText {
  readonly encoding: TextEncoding
  /** Each byte that is not UTF-8 stands here as one lone surrogate, U+DC00 plus the byte, which no other text can hold. */
  readonly text: string
  /** The byte at which the character at an offset begins. */
  byteOffset(offset: number): number
}

/**
 * Reads a file as text; undefined where it is none: it holds NUL, or it is UTF-16 that would not
 * come back as the same bytes. UTF-16 is known by its mark only.
 */
export function decodeText(bytes: Uint8Array): DecodedText | undefined {
  const utf16 = utf16Of(bytes)
  if (utf16 !== undefined) return decodeUtf16(bytes, utf16)
  return bytes.includes(0) ? undefined : decodeUtf8(bytes)
}

/** True for a file that says by its mark that it is UTF-16, whether or not it can be read so. */
export function hasUtf16Mark(bytes: Uint8Array): boolean {
  return utf16Of(bytes) !== undefined
}

/** The bytes of well-formed text, without a mark. */
export function encodeText(text: string, encoding: TextEncoding): Uint8Array {
  if (encoding === 'utf-8' || encoding === 'utf-8-bom') return new TextEncoder().encode(text)
  const bytes = new Uint8Array(text.length * 2)
  const view = new DataView(bytes.buffer)
  for (let at = 0; at < text.length; at += 1) {
    view.setUint16(at * 2, text.charCodeAt(at), encoding === 'utf-16le')
  }
  return bytes
}

function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return undefined
}

function decodeUtf16(
  bytes: Uint8Array,
  encoding: 'utf-16le' | 'utf-16be',
): DecodedText | undefined {
  const body = bytes.subarray(2)
  const text = new TextDecoder(encoding, { ignoreBOM: true }).decode(body)
  const isLossless = text.isWellFormed() && sameBytes(encodeText(text, encoding), body)
  if (!isLossless || text.includes('\0')) return undefined
  return { encoding, text, byteOffset: offset => 2 + offset * 2 }
}

function decodeUtf8(bytes: Uint8Array): DecodedText {
  const mark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  const body = bytes.subarray(mark)
  const text = decodeUtf8Lossless(body)
  const offsetOf = text.length === body.length ? undefined : utf8Offsets(text)
  return {
    encoding: mark === 0 ? 'utf-8' : 'utf-8-bom',
    text,
    byteOffset: offset => mark + (offsetOf?.(offset) ?? offset),
  }
}
