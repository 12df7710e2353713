import { closeSync, renameSync } from 'node:fs'
import type { ObjectFormat } from '../../core/oid.js'
import { patchCacheTree, type TouchedTrees } from './index-cache-tree.js'
import { writeIndexCopy } from './index-copy.js'
import { type EntryUpdate, hashBytes, readEntry, writeEntry } from './index-entry.js'
import {
  findPosition,
  type IndexCache,
  type IndexIdentity,
  type IndexLayout,
  identifyIndex,
  isIdentity,
  openIndex,
  readWhole,
} from './index-file.js'
import { isUnhashed, scanExtensions, writeChecksum } from './index-scan.js'

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
 * read, one hash and one write. `fallback` (nothing written): git must do it, because an entry is
 * missing, in conflict, not a plain file or in the worktree against what the entry says, or because the
 * index is of another kind or no longer the one of the layout.
 */
export function patchIndex(patch: IndexPatch): 'patched' | 'fallback' {
  const { layout, format } = patch
  if (!layout.patchable || layout.format !== format) return 'fallback'
  const old = readOld(patch)
  if (old === undefined) return 'fallback'
  const changed = new Set<string>()
  for (const update of patch.updates) {
    const change = patchEntry(old, layout, format, update)
    if (change === 'impossible') return 'fallback'
    if (change === 'changed') for (const above of directoriesOf(update.path)) changed.add(above)
  }
  const bytes = moveCacheTree(old, patch, changed)
  if (!isUnhashed(bytes, format)) writeChecksum(bytes, format)
  writeIndexCopy(patch.output, bytes, patch.path)
  rememberCopy(patch, bytes)
  return 'patched'
}

/** Makes the private file the index, in one step. */
export function adoptIndex(privatePath: string, indexPath: string, cache?: IndexCache): void {
  const layout = cache?.get(privatePath)
  cache?.delete(privatePath)
  cache?.delete(indexPath)
  renameSync(privatePath, indexPath)
  const identity = cache === undefined ? undefined : identityOf(indexPath)
  if (layout?.identity === undefined || identity === undefined) return
  // The rename moved the change time. Another inode or checksum: somebody wrote another index since.
  const isOurs =
    identity.ino === layout.identity.ino && identity.trailer === layout.identity.trailer
  if (isOurs) cache?.set(indexPath, { ...layout, path: indexPath, identity })
}

function readOld({ path, layout }: IndexPatch): Buffer | undefined {
  const file = openIndex(path)
  if (file === undefined) return undefined
  try {
    const identity = identifyIndex(file)
    return isIdentity(layout.identity, identity) ? readWhole(file, identity) : undefined
  } finally {
    closeSync(file)
  }
}

// `restated`: only the stat data are new, so no tree changes.
function patchEntry(
  bytes: Buffer,
  layout: IndexLayout,
  format: ObjectFormat,
  update: EntryUpdate & { readonly path: string },
): 'changed' | 'restated' | 'impossible' {
  const entryAt = (position: number): Buffer =>
    bytes.subarray(layout.offsets[position], layout.offsets[position + 1])
  const position = findPosition(layout, entryAt, update.path)
  if (position === undefined) return 'impossible'
  const entry = readEntry(entryAt(position), 0, format)
  const isAbsent = update.stat === undefined
  if (entry.stage !== 0 || entry.skipWorktree !== isAbsent) return 'impossible'
  if (!isFile(entry.mode) || !isFile(update.mode)) return 'impossible'
  writeEntry(entryAt(position), 0, format, update)
  const isSame = entry.oid === update.oid && entry.mode === update.mode && !entry.intentToAdd
  return isSame ? 'restated' : 'changed'
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

function rememberCopy({ layout, output, format, cache }: IndexPatch, bytes: Buffer): void {
  const identity = cache === undefined ? undefined : identityOf(output)
  if (identity === undefined) return
  const extensions = scanExtensions(bytes, layout.offsets.at(-1) ?? 0, format)
  cache?.set(output, { ...layout, path: output, identity, extensions })
}

function identityOf(path: string): IndexIdentity | undefined {
  const file = openIndex(path)
  if (file === undefined) return undefined
  try {
    return identifyIndex(file)
  } finally {
    closeSync(file)
  }
}
