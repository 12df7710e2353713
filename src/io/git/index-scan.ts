import { createHash } from 'node:crypto'
import type { ObjectFormat } from '../../core/oid.js'
import { hashBytes, nameOffset, readName, readStage } from './index-entry.js'

/** One extension, its eight-byte header included, half-open. */
export interface IndexExtension {
  readonly signature: string
  readonly from: number
  readonly to: number
}

/** Where things lie in an index file. */
export interface IndexScan {
  readonly version: number
  readonly format: ObjectFormat
  /** Where each entry begins, and one more: where the last one ends. */
  readonly offsets: Uint32Array
  /** True where an entry of this file is a side of a conflict. */
  readonly hasUnmerged: boolean
  readonly extensions: readonly IndexExtension[]
}

const headerBytes = 12

/**
 * Finds entries and extensions of an index of version 2, 3 or 4. The trailing checksum must be right
 * (or all zero: `index.skipHash`) and says which hash the repository uses. Throws an Error for
 * anything that git did not write whole.
 */
export function scanIndex(bytes: Buffer): IndexScan {
  const version = bytes.length < headerBytes ? 0 : bytes.readUInt32BE(4)
  if (bytes.toString('latin1', 0, 4) !== 'DIRC' || version < 2 || version > 4) {
    throw new Error('not an index file')
  }
  const format = checkedFormat(bytes)
  const offsets = scanEntries(bytes, version, format)
  return {
    version,
    format,
    offsets,
    hasUnmerged: offsets.subarray(0, -1).some(at => readStage(bytes, at, format) !== 0),
    extensions: scanExtensions(bytes, offsets.at(-1) ?? headerBytes, format),
  }
}

/** True where the index was written without a checksum (`index.skipHash`). */
export function isUnhashed(bytes: Buffer, format: ObjectFormat): boolean {
  const end = bytes.length - hashBytes(format)
  return end >= headerBytes && bytes.subarray(end).every(byte => byte === 0)
}

/** The extensions that stand between the last entry, which ends at `from`, and the checksum. */
export function scanExtensions(
  bytes: Buffer,
  from: number,
  format: ObjectFormat,
): readonly IndexExtension[] {
  const end = bytes.length - hashBytes(format)
  const extensions: IndexExtension[] = []
  let at = from
  while (at < end) {
    const to = at + 8 + bytes.readUInt32BE(at + 4)
    if (to > end) throw new Error('an index extension has no end')
    extensions.push({ signature: bytes.toString('latin1', at, at + 4), from: at, to })
    at = to
  }
  if (at !== end) throw new Error('the index entries have no end')
  return extensions
}

// An index without a checksum ends in zeros, as many as its hash has bytes.
function checkedFormat(bytes: Buffer): ObjectFormat {
  if (isSound(bytes, 'sha1')) return 'sha1'
  if (isSound(bytes, 'sha256') || isUnhashed(bytes, 'sha256')) return 'sha256'
  if (isUnhashed(bytes, 'sha1')) return 'sha1'
  throw new Error('the checksum of the index is wrong')
}

function isSound(bytes: Buffer, format: ObjectFormat): boolean {
  const end = bytes.length - hashBytes(format)
  return end >= headerBytes && checksum(bytes.subarray(0, end), format).equals(bytes.subarray(end))
}

function checksum(bytes: Buffer, format: ObjectFormat): Buffer {
  return createHash(format).update(bytes).digest()
}

function scanEntries(bytes: Buffer, version: number, format: ObjectFormat): Uint32Array {
  const count = bytes.readUInt32BE(8)
  if (count > bytes.length / (42 + hashBytes(format))) throw new Error('the index is cut off')
  const offsets = new Uint32Array(count + 1)
  const skip = version === 4 ? skipCompressed : skipPadded
  let at = headerBytes
  for (let position = 0; position < count; position += 1) {
    offsets[position] = at
    at = skip(bytes, at, format)
  }
  offsets[count] = at
  return offsets
}

function skipPadded(bytes: Buffer, at: number, format: ObjectFormat): number {
  const length = nameOffset(bytes, at, format) + readName(bytes, at, format).length
  return at + ((length + 8) & ~7)
}

// Version 4: how many bytes of the name before are dropped (a varint), then what follows, with NUL.
function skipCompressed(bytes: Buffer, at: number, format: ObjectFormat): number {
  let end = at + nameOffset(bytes, at, format)
  while (bytes.readUInt8(end) >= 0x80) end += 1
  const nul = bytes.indexOf(0, end + 1)
  if (nul < 0) throw new RangeError('an index entry has no end')
  return nul + 1
}
