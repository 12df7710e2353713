import { type BigIntStats, closeSync, fstatSync, readSync } from 'node:fs'
import { fixedLimits } from '../../core/limits.js'
import type { ObjectFormat } from '../../core/oid.js'
import { type IndexEntry, readEntry, readName } from './index-entry.js'
import { IndexMemory } from './index-memory.js'
import { type IndexExtension, isUnhashed, scanIndex } from './index-scan.js'
import { openRegular } from './read-regular.js'
import { RunningChecksum } from './running-checksum.js'

/** What is known about one index file. */
export interface IndexLayout {
  readonly path: string
  /** Undefined where there is no index file. */
  readonly identity: IndexIdentity | undefined
  /** 2, 3 or 4; 0 where there is no index file. */
  readonly version: number
  readonly format: ObjectFormat | undefined
  /** Where each entry begins, and one more: where the last one ends. */
  readonly offsets: Uint32Array
  /** True where an entry is a side of a conflict; of a split index only its own part is seen. */
  readonly hasUnmerged: boolean
  readonly extensions: readonly IndexExtension[]
  /** True where `findEntry` can answer: not for version 4, split and sparse indexes. */
  readonly searchable: boolean
  /** True where `patchIndex` can work; else `why` says what is in its way. */
  readonly patchable: boolean
  readonly why: IndexObstacle | undefined
  /** The bytes, as long as there is room for them. */
  readonly memory?: IndexMemory
}

export type IndexObstacle =
  | 'missing'
  | 'version_4'
  | 'split'
  | 'sparse'
  | 'fsmonitor'
  | 'unknown_extension'

/**
 * Which file the layout was read from. The checksum is part of it because a patched index keeps the
 * size and the modification time of the one before.
 */
export interface IndexIdentity {
  readonly dev: bigint
  readonly ino: bigint
  readonly size: bigint
  readonly mtimeNs: bigint
  readonly ctimeNs: bigint
  /** The last 20 bytes of the file, in hex. */
  readonly trailer: string
}

/** Layouts by path. A layout that no longer fits its file is read again. */
export type IndexCache = Map<string, IndexLayout>

/** A name as git sorts it; a string stands for its UTF-8 bytes. */
export type IndexName = string | Uint8Array

const trailerBytes = 20

/**
 * The layout of the index at `path`; nothing but the last bytes is read when the cache knows the file.
 * No file is an empty layout. A damaged, cut-off or huge file is an Error: ask git instead.
 */
export function readIndex(path: string, cache?: IndexCache): IndexLayout {
  const file = openIndex(path)
  if (file === undefined) return missingIndex(path)
  try {
    const known = cache?.get(path)
    const identity = identifyIndex(file)
    if (isIdentity(known?.identity, identity) && known !== undefined) return known
    const bytes = readWhole(file, identity)
    const layout = layOut(path, identity, bytes)
    if (cache === undefined) return layout
    forgetIndex(path, cache)
    const kept = { ...layout, ...keepBytes(layout, bytes) }
    cache.set(path, kept)
    return kept
  } finally {
    closeSync(file)
  }
}

/** Drops what is known of an index that no longer stands, its bytes too. */
export function forgetIndex(path: string, cache: IndexCache): void {
  cache.get(path)?.memory?.take()
  cache.delete(path)
}

/**
 * The entry of a path, of the lowest stage where there are several. Where the bytes are not in memory it reads a few
 * entries, not the file. An Error where the layout is not searchable or they are gone from the file too.
 */
export function findEntry(layout: IndexLayout, path: IndexName): IndexEntry | undefined {
  if (layout.format === undefined) return undefined
  if (!layout.searchable) throw new Error('this index can only be searched by git')
  const bytes = layout.memory?.bytes
  if (bytes === undefined) return withEntriesOnDisk(layout, entryAt => pick(layout, entryAt, path))
  return pick(layout, position => entryBytes(bytes, layout, position), path)
}

/** The bytes of one entry, in what holds the whole index. */
export function entryBytes(bytes: Buffer, { offsets }: IndexLayout, position: number): Buffer {
  return bytes.subarray(offsets[position], offsets[position + 1])
}

type EntryAt = (position: number) => Buffer

function pick(layout: IndexLayout, entryAt: EntryAt, path: IndexName): IndexEntry | undefined {
  const position = findPosition(layout, entryAt, path)
  if (position === undefined || layout.format === undefined) return undefined
  return readEntry(entryAt(position), 0, layout.format)
}

function withEntriesOnDisk<T>(layout: IndexLayout, act: (entryAt: EntryAt) => T): T {
  const file = openIndex(layout.path)
  if (file === undefined) throw new Error('the index is gone')
  try {
    if (!isIdentity(layout.identity, identifyIndex(file))) throw new Error('the index has changed')
    const { offsets } = layout
    return act(position => readPart(file, offsets[position] ?? 0, offsets[position + 1] ?? 0))
  } finally {
    closeSync(file)
  }
}

/**
 * Where an entry stands in the order of git: bytes of the name (memcmp), then stage. Answers the
 * first of its name. `entryAt` gives the bytes of one entry.
 */
export function findPosition(
  layout: IndexLayout,
  entryAt: EntryAt,
  path: IndexName,
): number | undefined {
  const { format } = layout
  if (format === undefined) return undefined
  const name = Buffer.from(path)
  const count = layout.offsets.length - 1
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >>> 1
    if (readName(entryAt(middle), 0, format).compare(name) < 0) low = middle + 1
    else high = middle
  }
  return low < count && readName(entryAt(low), 0, format).equals(name) ? low : undefined
}

/** True where both are the same file in the same state. */
export function isIdentity(known: IndexIdentity | undefined, now: IndexIdentity): boolean {
  return (
    known !== undefined &&
    known.dev === now.dev &&
    known.ino === now.ino &&
    known.size === now.size &&
    known.mtimeNs === now.mtimeNs &&
    known.ctimeNs === now.ctimeNs &&
    known.trailer === now.trailer
  )
}

/** The identity of an open index file. */
export function identifyIndex(file: number): IndexIdentity {
  const stat = fstatSync(file, { bigint: true })
  const end = Number(stat.size)
  return identityOf(stat, readPart(file, Math.max(0, end - trailerBytes), end))
}

/** The identity of an index file with these stat data, of which at least the last bytes are known. */
export function identityOf(stat: BigIntStats, bytes: Buffer): IndexIdentity {
  const { dev, ino, size, mtimeNs, ctimeNs } = stat
  return {
    dev,
    ino,
    size,
    mtimeNs,
    ctimeNs,
    trailer: bytes.subarray(-trailerBytes).toString('hex'),
  }
}

/** All bytes of an open index file; an Error above `fixedLimits.indexBytes` and where it is cut off. */
export function readWhole(file: number, { size }: IndexIdentity): Buffer {
  if (size > BigInt(fixedLimits.indexBytes)) throw new Error('the index is too large')
  return readPart(file, 0, Number(size))
}

/** A descriptor of the index, or undefined where there is none. */
export function openIndex(path: string): number | undefined {
  return openRegular(path)
}

function layOut(path: string, identity: IndexIdentity, bytes: Buffer): IndexLayout {
  const scan = scanIndex(bytes)
  const why = findObstacle(scan.version, scan.extensions)
  const searchable = why !== 'version_4' && why !== 'split' && why !== 'sparse'
  return { path, identity, ...scan, searchable, patchable: why === undefined, why }
}

/** Without a checksum one state of an index cannot surely be told from the next, so that it is read each time. */
function keepBytes({ format }: IndexLayout, bytes: Buffer): Pick<IndexLayout, 'memory'> {
  if (format === undefined || isUnhashed(bytes, format)) return {}
  return { memory: new IndexMemory({ bytes, checksum: new RunningChecksum(format) }) }
}

function findObstacle(
  version: number,
  extensions: readonly IndexExtension[],
): IndexObstacle | undefined {
  const has = (signature: string): boolean => extensions.some(one => one.signature === signature)
  if (version === 4) return 'version_4'
  if (has('link')) return 'split'
  if (has('sdir')) return 'sparse'
  if (has('FSMN')) return 'fsmonitor'
  // A signature that begins with a capital letter may be ignored; any other may change all meaning.
  return extensions.every(one => /^[A-Z]/.test(one.signature)) ? undefined : 'unknown_extension'
}

function missingIndex(path: string): IndexLayout {
  return {
    path,
    identity: undefined,
    version: 0,
    format: undefined,
    offsets: new Uint32Array(1),
    hasUnmerged: false,
    extensions: [],
    searchable: true,
    patchable: false,
    why: 'missing',
  }
}

function readPart(file: number, from: number, to: number): Buffer {
  const bytes = Buffer.allocUnsafe(to - from)
  let done = 0
  while (done < bytes.length) {
    const count = readSync(file, bytes, done, bytes.length - done, from + done)
    if (count === 0) throw new Error('the index is cut off')
    done += count
  }
  return bytes
}
