import type { BigIntStats } from 'node:fs'
import type { FileMode } from '../../core/blob.js'
import { type ObjectFormat, type Oid, parseOid } from '../../core/oid.js'

/**
 * One entry of an index of version 2 or 3, as gitformat-index(5) lays it out: stat data and mode
 * (ten 32-bit words), the object name, 16 bits of flags, 16 more where the extended flag is set,
 * the name, and 1 to 8 NULs up to a multiple of eight.
 */
export interface IndexEntry {
  readonly oid: Oid
  /** `040000` is a collapsed directory of a sparse index. */
  readonly mode: FileMode | '040000'
  readonly stat: IndexStat
  /** 0, or 1 to 3 for the sides of a conflict. */
  readonly stage: number
  readonly assumeValid: boolean
  readonly skipWorktree: boolean
  readonly intentToAdd: boolean
}

/** What stat(2) said when git last looked; each is cut to 32 bits. */
export interface IndexStat {
  readonly ctimeSeconds: number
  readonly ctimeNanoseconds: number
  readonly mtimeSeconds: number
  readonly mtimeNanoseconds: number
  readonly dev: number
  readonly ino: number
  readonly uid: number
  readonly gid: number
  readonly size: number
}

/** What an entry becomes. */
export interface EntryUpdate {
  readonly oid: Oid
  readonly mode: FileMode
  /** Undefined for a file that need not be in the worktree and is not. */
  readonly stat: BigIntStats | undefined
}

const statWords = [
  'ctimeSeconds',
  'ctimeNanoseconds',
  'mtimeSeconds',
  'mtimeNanoseconds',
  'dev',
  'ino',
  'mode',
  'uid',
  'gid',
  'size',
] as const

const modeAt = 24
const oidAt = 40
const assumeValid = 0x8000
const extended = 0x4000
const nameLengthMask = 0x0fff
const skipWorktree = 0x4000
const intentToAdd = 0x2000

const modes = new Map<number, IndexEntry['mode']>([
  [0o100644, '100644'],
  [0o100755, '100755'],
  [0o120000, '120000'],
  [0o160000, '160000'],
  [0o040000, '040000'],
])

/** Bytes of an object name. */
export function hashBytes(format: ObjectFormat): number {
  return format === 'sha1' ? 20 : 32
}

/** The entry that begins at `at`. An unknown mode is an Error: git would not have written it. */
export function readEntry(bytes: Buffer, at: number, format: ObjectFormat): IndexEntry {
  const mode = modes.get(bytes.readUInt32BE(at + modeAt))
  if (mode === undefined) throw new Error('unknown mode in the index')
  const oidEnd = at + oidAt + hashBytes(format)
  const flags = bytes.readUInt16BE(oidEnd)
  const more = (flags & extended) === 0 ? 0 : bytes.readUInt16BE(oidEnd + 2)
  return {
    oid: parseOid(bytes.toString('hex', at + oidAt, oidEnd)),
    mode,
    stat: readStat(bytes, at),
    stage: (flags >> 12) & 3,
    assumeValid: (flags & assumeValid) !== 0,
    skipWorktree: (more & skipWorktree) !== 0,
    intentToAdd: (more & intentToAdd) !== 0,
  }
}

/** The stage alone; the scan asks it of every entry. */
export function readStage(bytes: Buffer, at: number, format: ObjectFormat): number {
  return (bytes.readUInt16BE(at + oidAt + hashBytes(format)) >> 12) & 3
}

/** True where the file of the entry need not be in the worktree. */
export function isSkipped(bytes: Buffer, at: number, format: ObjectFormat): boolean {
  const flagsAt = at + oidAt + hashBytes(format)
  if ((bytes.readUInt16BE(flagsAt) & extended) === 0) return false
  return (bytes.readUInt16BE(flagsAt + 2) & skipWorktree) !== 0
}

/** The name of the entry at `at`, without the padding. Not for version 4. */
export function readName(bytes: Buffer, at: number, format: ObjectFormat): Buffer {
  const from = at + nameOffset(bytes, at, format)
  const length = bytes.readUInt16BE(at + oidAt + hashBytes(format)) & nameLengthMask
  if (length < nameLengthMask) return bytes.subarray(from, from + length)
  const end = bytes.indexOf(0, from)
  if (end < 0) throw new RangeError('an index entry has no end')
  return bytes.subarray(from, end)
}

/** Bytes from the start of an entry to its name. */
export function nameOffset(bytes: Buffer, at: number, format: ObjectFormat): number {
  const flagsAt = oidAt + hashBytes(format)
  return flagsAt + ((bytes.readUInt16BE(at + flagsAt) & extended) === 0 ? 2 : 4)
}

/**
 * Overwrites oid, mode and stat data in place. As after `git add`, the entry is no longer only
 * intended to be added nor assumed unchanged.
 */
export function writeEntry(
  bytes: Buffer,
  at: number,
  format: ObjectFormat,
  update: EntryUpdate,
): void {
  const words = toWords(update)
  for (const [index, word] of words.entries()) bytes.writeUInt32BE(word, at + index * 4)
  const flagsAt = at + oidAt + hashBytes(format)
  bytes.write(update.oid, at + oidAt, 'hex')
  const flags = bytes.readUInt16BE(flagsAt)
  bytes.writeUInt16BE(flags & ~assumeValid, flagsAt)
  if ((flags & extended) === 0) return
  bytes.writeUInt16BE(bytes.readUInt16BE(flagsAt + 2) & ~intentToAdd, flagsAt + 2)
}

function readStat(bytes: Buffer, at: number): IndexStat {
  const word = (name: (typeof statWords)[number]): number =>
    bytes.readUInt32BE(at + statWords.indexOf(name) * 4)
  return {
    ctimeSeconds: word('ctimeSeconds'),
    ctimeNanoseconds: word('ctimeNanoseconds'),
    mtimeSeconds: word('mtimeSeconds'),
    mtimeNanoseconds: word('mtimeNanoseconds'),
    dev: word('dev'),
    ino: word('ino'),
    uid: word('uid'),
    gid: word('gid'),
    size: word('size'),
  }
}

function toWords({ stat, mode }: EntryUpdate): readonly number[] {
  if (stat === undefined)
    return statWords.map(word => (word === 'mode' ? Number.parseInt(mode, 8) : 0))
  const second = 1_000_000_000n
  return [
    stat.ctimeNs / second,
    stat.ctimeNs % second,
    stat.mtimeNs / second,
    stat.mtimeNs % second,
    stat.dev,
    stat.ino,
    BigInt(Number.parseInt(mode, 8)),
    stat.uid,
    stat.gid,
    stat.size,
  ].map(value => Number(BigInt.asUintN(32, value)))
}
