import { type Blob, type FileMode, isRegular } from '../../core/blob.js'
import { Refusal } from '../../core/errors.js'
import type { Oid } from '../../core/oid.js'
import type { RepoPath } from '../../core/repo-path.js'
import type { FileOnDisk } from '../../io/files/read-file.js'
import { cleanIsIdentity, type FileAttributes, smudgeIsIdentity } from '../../io/git/attributes.js'
import { type CommitTree, fileMode } from '../../io/git/commit-tree.js'
import { cleanFile, smudgeBlob } from '../../io/git/convert-file.js'
import { hashObject } from '../../io/git/hash-object.js'
import { readIndex } from '../../io/git/index-file.js'
import { lookUpIndex } from '../../io/git/index-lookup.js'
import type { Checkout } from './checkout.js'
import { readDisk } from './read-disk.js'

/** What head holds for a path. */
export interface HeadEntry {
  readonly oid: Oid
  readonly mode: FileMode
}

/** One path as an agent sees it: head's blob, or the blob form of what somebody left on the disk. */
export interface WorkingFile {
  readonly path: RepoPath
  readonly head: HeadEntry | undefined
  /** What stands there now, drift included; undefined where there is no file. */
  readonly blob: Blob | undefined
  /** The file's own bytes and stat data, as they were when looked at. */
  readonly disk: FileOnDisk | undefined
  /** True where `blob` is not head's: somebody else changed, made or removed the file. */
  readonly drifted: boolean
  /** True where git was told that the file need not be in the worktree, and it is not. */
  readonly absent: boolean
  readonly attributes: FileAttributes
}

/** Where a path is looked at, and how. */
export interface WorkingFileSource {
  readonly checkout: Checkout
  /** Of head. */
  readonly tree: CommitTree
  readonly maxBytes: number
  /** Of the path; asked when head is known. */
  readonly attributesOf: () => Promise<FileAttributes>
}

/**
 * Looks at one path in head and on the disk. Drift means that the file is neither what git would have written
 * for head's blob nor what git would store as head's blob. Refuses with `SYMLINK`, `NOT_REGULAR`, `TOO_LARGE` or,
 * where git has no blob of it yet, `FILTERED`.
 */
export async function readWorkingFile(
  { checkout, tree, maxBytes, attributesOf }: WorkingFileSource,
  path: RepoPath,
): Promise<WorkingFile> {
  const head = await headEntry(tree, path)
  const attributes = await attributesOf()
  const filter = checkout.trusted ? undefined : attributes.filter
  if (head !== undefined && (!isRegular(head.mode) || filter !== undefined)) {
    return unjudged(checkout, path, head, attributes, maxBytes)
  }
  const disk = readDisk(checkout.path, path, maxBytes)
  if (disk === undefined) return missingFile(checkout, path, head, attributes, maxBytes)
  if (filter !== undefined) throw new Refusal('FILTERED', { path, filter })
  const blob = await blobOf(checkout, { path, head, attributes, disk, maxBytes })
  const drifted = head === undefined || blob.oid !== head.oid || blob.mode !== head.mode
  return { path, head, blob, disk, drifted, absent: false, attributes }
}

/** Head's entry; undefined for no file and for a directory. */
async function headEntry(tree: CommitTree, path: RepoPath): Promise<HeadEntry | undefined> {
  const entry = await tree.find(path)
  const mode = entry === undefined ? undefined : fileMode(entry.mode)
  return entry === undefined || mode === undefined ? undefined : { oid: entry.oid, mode }
}

/** Links, submodules and filtered files are shown as head has them: what is on the disk is not compared. */
async function unjudged(
  checkout: Checkout,
  path: RepoPath,
  head: HeadEntry,
  attributes: FileAttributes,
  maxBytes: number,
): Promise<WorkingFile> {
  const bytes =
    head.mode === '160000'
      ? new Uint8Array()
      : await checkout.served.reader.blob(head.oid, maxBytes)
  const blob = { ...head, bytes }
  return { path, head, blob, disk: undefined, drifted: false, absent: false, attributes }
}

async function missingFile(
  checkout: Checkout,
  path: RepoPath,
  head: HeadEntry | undefined,
  attributes: FileAttributes,
  maxBytes: number,
): Promise<WorkingFile> {
  const nothing = { path, head, disk: undefined, absent: false, attributes }
  if (head === undefined) return { ...nothing, blob: undefined, drifted: false }
  const layout = readIndex(checkout.indexPath, checkout.indexCache)
  const staged = await lookUpIndex(checkout.place, layout, [path])
  if (staged.get(path)?.skipWorktree) {
    const bytes = await checkout.served.reader.blob(head.oid, maxBytes)
    return { ...nothing, blob: { ...head, bytes }, drifted: false, absent: true }
  }
  return { ...nothing, blob: undefined, drifted: true }
}

interface Found {
  readonly path: RepoPath
  readonly head: HeadEntry | undefined
  readonly attributes: FileAttributes
  readonly disk: FileOnDisk
  readonly maxBytes: number
}

async function blobOf(checkout: Checkout, found: Found): Promise<Blob> {
  const { path, head, attributes, disk, maxBytes } = found
  const { reader, repository } = checkout.served
  const mode = diskMode(disk, head, repository.fileMode)
  const format = repository.objectFormat
  if (smudgeIsIdentity(attributes)) {
    const oid = hashObject(format, 'blob', disk.bytes)
    if (oid === head?.oid || cleanIsIdentity(attributes, disk.bytes))
      return { oid, mode, bytes: disk.bytes }
  } else if (
    head !== undefined &&
    (await smudgeBlob(checkout.place, path, head.oid)).equals(disk.bytes)
  ) {
    return { oid: head.oid, mode, bytes: await reader.blob(head.oid, maxBytes) }
  }
  const oid = await cleanFile(checkout.place, checkout.gitDir, path)
  if (oid === undefined) throw new Refusal('NOT_REGULAR', { path })
  return { oid, mode, bytes: await reader.blob(oid, maxBytes) }
}

function diskMode(disk: FileOnDisk, head: HeadEntry | undefined, modesCount: boolean): FileMode {
  if (!modesCount) return head?.mode ?? '100644'
  return (disk.stat.mode & 0o100n) === 0n ? '100644' : '100755'
}
