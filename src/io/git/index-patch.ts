import { type BigIntStats, closeSync, lstatSync, renameSync } from 'node:fs'
import type { ObjectFormat } from '../../core/oid.js'
import { patchCacheTree, type TouchedTrees } from './index-cache-tree.js'
import { writeIndexCopy } from './index-copy.js'
import { type EntryUpdate, hashBytes, readEntry, writeEntry } from './index-entry.js'
import {
  entryBytes,
  findPosition,
  forgetIndex,
  type IndexCache,
  type IndexLayout,
  identifyIndex,
  identityOf,
  isIdentity,
  openIndex,
  readWhole,
} from './index-file.js'
import { type IndexBytes, IndexMemory } from './index-memory.js'
import { isUnhashed, scanExtensions } from './index-scan.js'
import { RunningChecksum } from './running-checksum.js'

/** What a commit did to files that the index already had. */
export interface IndexPatch {
  /** The index that stands; its lock must be held. */
  readonly path: string
  readonly layout: IndexLayout
  /** The private file that becomes the index by `adoptIndex`. */
  readonly output: string
  /** Every path that the commit changed; also unchanged ones that git shall not look at again. */
  readonly updates: readonly (EntryUpdate & { readonly path: string })[]
  /** At least the directories above changed paths; where one is missing the cache tree goes. */
  readonly trees: TouchedTrees
  readonly format: ObjectFormat
  /** Learns the layout of the new file, so that it need not be scanned. */
  readonly cache?: IndexCache
}

/**
 * Writes an index in which the given entries are what the commit made of them, at the price of one
 * read, where its bytes are not in memory, one hash from the first changed entry on, and one write. `fallback` (nothing written): git must do it, because an entry is
 * missing, in conflict, not a plain file or in the worktree against what the entry says, or because the
 * index is of another kind or no longer the one of the layout.
 */
export function patchIndex(patch: IndexPatch): 'patched' | 'fallback' {
  const { layout, format } = patch
  if (!layout.patchable || layout.format !== format) return 'fallback'
  const old = takeOld(patch, format)
  if (old === undefined) return 'fallback'
  const changed = new Set<string>()
  let firstChange = layout.offsets.at(-1) ?? 0
  for (const update of patch.updates) {
    const { change, at } = patchEntry(old.bytes, layout, format, update)
    if (change === 'impossible') return 'fallback'
    if (change === 'changed') for (const above of directoriesOf(update.path)) changed.add(above)
    firstChange = Math.min(firstChange, at)
  }
  const bytes = moveCacheTree(old.bytes, patch, changed)
  const isHashed = !isUnhashed(bytes, format)
  if (isHashed) writeChecksum(bytes, firstChange, old.checksum, format)
  const stat = writeIndexCopy(patch.output, bytes, patch.path)
  rememberCopy(patch, { bytes, stat, ...(isHashed && { checksum: old.checksum }) })
  return 'patched'
}

/** Makes the private file the index, in one step. */
export function adoptIndex(privatePath: string, indexPath: string, cache?: IndexCache): void {
  const layout = cache?.get(privatePath)
  cache?.delete(privatePath)
  if (cache !== undefined) forgetIndex(indexPath, cache)
  renameSync(privatePath, indexPath)
  if (layout?.identity === undefined) return
  const stat = lstatSync(indexPath, { bigint: true, throwIfNoEntry: false })
  // The rename moved the change time. Another inode: somebody wrote another index since.
  if (stat?.ino !== layout.identity.ino) return
  const identity = { ...layout.identity, ctimeNs: stat.ctimeNs }
  cache?.set(indexPath, { ...layout, path: indexPath, identity })
}

/** The bytes of the index that stands. Nobody else may look at them from now on, because they are changed in place. */
function takeOld({ path, layout }: IndexPatch, format: ObjectFormat): IndexBytes | undefined {
  const file = openIndex(path)
  if (file === undefined) return undefined
  try {
    const identity = identifyIndex(file)
    if (!isIdentity(layout.identity, identity)) return undefined
    const bytes = (): IndexBytes => ({
      bytes: readWhole(file, identity),
      checksum: new RunningChecksum(format),
    })
    return layout.memory?.take() ?? bytes()
  } finally {
    closeSync(file)
  }
}

interface PatchedEntry {
  /** `restated`: only the stat data are new, so no tree changes. */
  readonly change: 'changed' | 'restated' | 'impossible'
  /** Where the entry begins. */
  readonly at: number
}

function patchEntry(
  bytes: Buffer,
  layout: IndexLayout,
  format: ObjectFormat,
  update: EntryUpdate & { readonly path: string },
): PatchedEntry {
  const impossible: PatchedEntry = { change: 'impossible', at: 0 }
  const entryAt = (position: number): Buffer => entryBytes(bytes, layout, position)
  const position = findPosition(layout, entryAt, update.path)
  if (position === undefined) return impossible
  const entry = readEntry(entryAt(position), 0, format)
  const isAbsent = update.stat === undefined
  if (entry.stage !== 0 || entry.skipWorktree !== isAbsent) return impossible
  if (!isFile(entry.mode) || !isFile(update.mode)) return impossible
  writeEntry(entryAt(position), 0, format, update)
  const isSame = entry.oid === update.oid && entry.mode === update.mode && !entry.intentToAdd
  return { change: isSame ? 'restated' : 'changed', at: layout.offsets[position] ?? 0 }
}

function isFile(mode: string): boolean {
  return mode === '100644' || mode === '100755'
}

function directoriesOf(path: string): readonly string[] {
  const names = path.split('/')
  return names.map((_, depth) => names.slice(0, depth).join('/'))
}

// Where the cache tree cannot follow it goes, and with it EOIE, whose hash covers the list of extensions.
function moveCacheTree(
  bytes: Buffer,
  { layout, format, trees }: IndexPatch,
  changed: ReadonlySet<string>,
): Buffer {
  const tree = layout.extensions.find(one => one.signature === 'TREE')
  if (tree === undefined) return bytes
  const payload = bytes.subarray(tree.from + 8, tree.to)
  if (patchCacheTree(payload, changed, trees, hashBytes(format))) return bytes
  const kept = layout.extensions.filter(one => !['TREE', 'EOIE'].includes(one.signature))
  return Buffer.concat([
    bytes.subarray(0, layout.offsets.at(-1)),
    ...kept.map(one => bytes.subarray(one.from, one.to)),
    bytes.subarray(bytes.length - hashBytes(format)),
  ])
}

function writeChecksum(
  bytes: Buffer,
  from: number,
  checksum: RunningChecksum,
  format: ObjectFormat,
): void {
  const end = bytes.length - hashBytes(format)
  checksum.of(bytes.subarray(0, end), from).copy(bytes, end)
}

interface Copy {
  readonly bytes: Buffer
  readonly stat: BigIntStats
  /** Absent for an index without one. */
  readonly checksum?: RunningChecksum
}

function rememberCopy(
  { layout, output, format, cache }: IndexPatch,
  { bytes, stat, checksum }: Copy,
): void {
  if (cache === undefined) return
  const extensions = scanExtensions(bytes, layout.offsets.at(-1) ?? 0, format)
  const { memory: _, ...known } = layout
  cache.set(output, {
    ...known,
    path: output,
    identity: identityOf(stat, bytes),
    extensions,
    ...(checksum && { memory: new IndexMemory({ bytes, checksum }) }),
  })
}
