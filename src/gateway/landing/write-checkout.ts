import type { BigIntStats } from 'node:fs'
import { lstatSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Blob } from '../../core/blob.js'
import { Refusal, type RefusalCode } from '../../core/errors.js'
import type { Oid } from '../../core/oid.js'
import { type RepoPath, splitPath } from '../../core/repo-path.js'
import { unlessErrno } from '../../io/files/io-refusal.js'
import { type FileRemoval, removeFile } from '../../io/files/remove-file.js'
import { replaceFile } from '../../io/files/replace-file.js'
import { type FileAttributes, smudgeIsIdentity } from '../../io/git/attributes.js'
import { smudgeBlob } from '../../io/git/convert-file.js'
import type { TouchedTrees } from '../../io/git/index-cache-tree.js'
import { type IndexLayout, readIndex } from '../../io/git/index-file.js'
import { adoptIndex, patchIndex } from '../../io/git/index-patch.js'
import { updateIndex } from '../../io/git/index-update.js'
import { syncIfThere } from '../../io/git/sync-paths.js'
import { randomHex } from '../../io/random-name.js'
import type { Checkout } from '../checkout/checkout.js'

/** One path of the worktree, as it is to become. */
export interface FileWrite {
  readonly path: RepoPath
  /** Undefined where the path is removed. */
  readonly after: Blob | undefined
  /** The bytes that stand on the disk now; anything else there is somebody's work and stays. */
  readonly expected: Uint8Array | undefined
  /** False where the file already is what it shall be. */
  readonly write: boolean
  /** True where the file shall not be in the worktree, which the index then says. */
  readonly absent?: boolean
  /** Stat data of a file that is not written. */
  readonly stat?: BigIntStats
  /** As they were when the file was looked at; absent where the batch may have changed them. */
  readonly attributes?: FileAttributes
}

/** A path after writing: with stat data where the file is ours, `kept` where somebody's bytes were left. */
export interface WrittenFile {
  readonly path: RepoPath
  readonly after: Blob | undefined
  readonly stat: BigIntStats | undefined
  readonly kept: boolean
  readonly absent?: boolean
}

/** The index as it is under our lock, and the directories whose tree ids it may hold. */
export interface IndexBefore {
  readonly trees: TouchedTrees
  readonly layout: IndexLayout
}

interface IndexWrite extends IndexBefore {
  readonly files: readonly WrittenFile[]
}

/**
 * Brings files and index to what was committed; the caller holds index.lock. Removes first, so that a file may become
 * a directory; attributes before what they rule, in the index too, where git looks for those that are not on the disk.
 */
export async function writeCheckout(
  checkout: Checkout,
  writes: readonly FileWrite[],
  before: IndexBefore,
): Promise<readonly WrittenFile[]> {
  try {
    const written = await writeAll(checkout, writes, before)
    if (checkout.durability === 'power') await syncCheckout(checkout, writes)
    return written
  } finally {
    checkout.changes.count()
  }
}

/** Before the intent may go: after a power cut nobody could tell a file that was cut off from somebody's work. */
async function syncCheckout(
  { path: root, gitDir, indexPath }: Checkout,
  writes: readonly FileWrite[],
): Promise<void> {
  const directories = new Set<string>()
  for (const { path, write, absent } of writes) {
    if (!write || absent) continue
    for (let above = dirname(path); above !== '.'; above = dirname(above)) directories.add(above)
    directories.add('.')
  }
  const standing = [...directories].map(one => join(root, one)).filter(isDirectory)
  await syncIfThere([...standing, indexPath, gitDir])
}

function isDirectory(path: string): boolean {
  return unlessErrno(['ENOENT', 'ENOTDIR'], () => lstatSync(path).isDirectory()) ?? false
}

async function writeAll(
  checkout: Checkout,
  writes: readonly FileWrite[],
  { trees, layout }: IndexBefore,
): Promise<readonly WrittenFile[]> {
  const isEarly = ({ after, path }: FileWrite): boolean => after === undefined || isAttributes(path)
  const early = await writeFiles(checkout, inOrder(writes.filter(isEarly)))
  const others = writes.filter(write => !isEarly(write))
  if (others.length === 0 || !early.some(({ path }) => isAttributes(path))) {
    const files = [...early, ...(await writeFiles(checkout, others))]
    await writeIndex(checkout, { files, trees, layout })
    return files
  }
  const noTrees = { old: new Map<string, Oid>(), new: new Map<string, Oid>() }
  await writeIndex(checkout, { files: early, trees: noTrees, layout })
  const late = await writeFiles(checkout, others)
  const newer = readIndex(checkout.indexPath, checkout.indexCache)
  await writeIndex(checkout, { files: late, trees, layout: newer })
  return [...early, ...late]
}

/** Runs the filters of what is to be written: one that fails must do so before the branch moves. Their blobs are stored. */
export async function tryFilters(checkout: Checkout, writes: readonly FileWrite[]): Promise<void> {
  for (const { path, after, write, attributes } of writes) {
    if (write && after !== undefined && attributes?.filter !== undefined)
      await smudgeBlob(checkout.place, path, after.oid)
  }
}

async function writeFiles(
  checkout: Checkout,
  writes: readonly FileWrite[],
): Promise<readonly WrittenFile[]> {
  const written: WrittenFile[] = []
  for (const write of writes) {
    written.push(await unlessObstructed(write, () => writeOne(checkout, write)))
  }
  return written
}

/** Makes the index of the worktree say what was committed: patched in place where entries only change; else git makes it. */
async function writeIndex(checkout: Checkout, wanted: IndexWrite): Promise<void> {
  const fresh = join(checkout.workDir, `new-index-${randomHex(12)}`)
  try {
    if (!patchInPlace(checkout, wanted, fresh)) await rebuild(checkout, wanted, fresh)
    adoptIndex(fresh, checkout.indexPath, checkout.indexCache)
  } catch (error) {
    rmSync(fresh, { force: true })
    throw error
  }
}

function inOrder(writes: readonly FileWrite[]): readonly FileWrite[] {
  const gone = writes.filter(({ after }) => after === undefined)
  return [...gone, ...writes.filter(({ after }) => after !== undefined)]
}

function isAttributes(path: RepoPath): boolean {
  return splitPath(path).name === '.gitattributes'
}

/** A link or something special that was put in a file's place meanwhile is somebody's work like any other. */
async function unlessObstructed(
  { path, after }: FileWrite,
  write: () => Promise<WrittenFile>,
): Promise<WrittenFile> {
  try {
    return await write()
  } catch (error) {
    if (error instanceof Refusal && obstructions.includes(error.code)) {
      return { path, after, stat: undefined, kept: true }
    }
    throw error
  }
}

const obstructions: readonly RefusalCode[] = ['SYMLINK', 'NOT_REGULAR']

async function writeOne(checkout: Checkout, write: FileWrite): Promise<WrittenFile> {
  const { path, after } = write
  if (write.absent) return { path, after, stat: undefined, kept: false, absent: true }
  if (!write.write) return { path, after, stat: write.stat, kept: false }
  if (after === undefined) {
    const removed =
      write.expected && removeFile(checkout.path, path, removal(checkout, write.expected))
    return { path, after, stat: undefined, kept: removed !== undefined && 'kept' in removed }
  }
  const result = replaceFile(checkout.path, path, {
    bytes: await smudged(checkout, write, after),
    executable: after.mode === '100755',
    expected: write.expected === undefined ? 'absent' : { bytes: write.expected },
    tempDir: checkout.workDir,
    durable: checkout.durability === 'power',
  })
  return 'kept' in result
    ? { path, after, stat: undefined, kept: true }
    : { path, after, stat: result.stat, kept: false }
}

function removal(checkout: Checkout, bytes: Uint8Array): FileRemoval {
  return { expected: { bytes }, tempDir: checkout.workDir }
}

async function smudged(
  checkout: Checkout,
  { path, attributes }: FileWrite,
  blob: Blob,
): Promise<Uint8Array> {
  const identity = smudgeIsIdentity(attributes ?? (await checkout.attributes.of(path)))
  return identity ? blob.bytes : smudgeBlob(checkout.place, path, blob.oid)
}

function patchInPlace(checkout: Checkout, wanted: IndexWrite, output: string): boolean {
  const { files, trees, layout } = wanted
  const updates = files.flatMap(statUpdate)
  if (updates.length < files.length) return false
  const { indexPath: path, indexCache: cache } = checkout
  const format = checkout.served.repository.objectFormat
  return patchIndex({ path, layout, output, updates, trees, format, cache }) === 'patched'
}

async function rebuild(checkout: Checkout, wanted: IndexWrite, output: string): Promise<void> {
  const { files, layout } = wanted
  const { place, indexPath } = checkout
  const format = checkout.served.repository.objectFormat
  const updates = files.flatMap(statUpdate)
  const absent = files.flatMap(file => (file.absent && file.after ? [file.path] : []))
  const here = updates.filter(({ stat }) => stat !== undefined)
  const restat = layout.patchable ? [] : here.map(({ path }) => path)
  const changes = files.map(({ path, after }) => ({ path, ...(after && { entry: after }) }))
  const ids = `${output}-ids`
  try {
    await updateIndex(place, { indexPath, output: ids, changes, restat, absent, format })
    const trees = { old: new Map<string, Oid>(), new: new Map<string, Oid>() }
    // Git has entered the ids; what it would learn by looking at the files is known already.
    const patch = { path: ids, layout: readIndex(ids), output, updates, trees, format }
    if (restat.length > 0 || patchIndex(patch) === 'fallback') adoptIndex(ids, output)
  } finally {
    rmSync(ids, { force: true })
    rmSync(`${ids}.lock`, { force: true })
  }
}

function statUpdate({
  path,
  after,
  stat,
  absent,
}: WrittenFile): { path: string; oid: Oid; mode: Blob['mode']; stat: BigIntStats | undefined }[] {
  return after === undefined || (stat === undefined && !absent)
    ? []
    : [{ path, oid: after.oid, mode: after.mode, stat }]
}
