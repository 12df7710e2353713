import type { Blob, FileMode } from '../../core/blob.js'
import type { Change } from '../../core/change.js'
import type { ObjectFormat, Oid } from '../../core/oid.js'
import type { RepoPath } from '../../core/repo-path.js'
import { type Signature, serialiseCommit } from '../../io/git/commit-object.js'
import { CommitTree } from '../../io/git/commit-tree.js'
import { editTree, type NewObject, type TreeChanges } from '../../io/git/edit-tree.js'
import { hashObject } from '../../io/git/hash-object.js'
import type { TouchedTrees } from '../../io/git/index-cache-tree.js'
import type { StagedEntry } from '../../io/git/index-lookup.js'
import type { TreeSource } from '../../io/git/object-reader.js'
import type { HeadEntry, WorkingFile } from '../checkout/working-file.js'

/** Who and when stands in the commits. */
export interface Signatures {
  readonly author: Signature
  readonly committer: Signature
}

/** A change with the id of what it leaves. */
export type IdentifiedChange = Change & { readonly afterOid?: Oid }

export interface CommitRequest {
  readonly head: Oid
  readonly tree: CommitTree
  readonly source: TreeSource
  readonly format: ObjectFormat
  readonly signatures: Signatures
  /** The touched paths as they stand now. */
  readonly files: readonly WorkingFile[]
  /** What the index holds for them. */
  readonly staged: ReadonlyMap<string, StagedEntry>
  readonly changes: readonly IdentifiedChange[]
  /** The message of the batch, which tells of outside changes before it; absent where only those are committed. */
  readonly message?: (external: boolean) => string
  readonly externalMessage: (changes: readonly OutsideChange[]) => string
}

/** What a commit of outside changes does to one path. */
export interface OutsideChange {
  readonly path: RepoPath
  readonly before: HeadEntry | undefined
  readonly after: HeadEntry | undefined
}

/** Everything that is to be written, ready in memory. */
export interface PlannedCommits {
  readonly head: Oid
  readonly tree: Oid
  /** The parent of the last commit. */
  readonly parent: Oid
  readonly commits: number
  readonly objects: readonly NewObject[]
  /** Tree ids of the directories along the touched paths: in the old head, and in the new one. */
  readonly trees: TouchedTrees
}

/**
 * Makes the commits of a landing: what was staged and is nowhere else, what was changed outside, and the batch,
 * each on the one before. Nothing is written.
 */
export async function planCommits(request: CommitRequest): Promise<PlannedCommits> {
  const chain = new CommitChain(request)
  const staged = stagedOnly(request)
  // What was staged is not what stands on the disk, whether or not head has that.
  const drifted = request.files.filter(file => file.drifted || staged.has(file.path))
  if (staged.size > 0) {
    const changes = request.files.flatMap(({ path, head }) => {
      const after = staged.get(path)
      return after === undefined ? [] : [{ path, before: head, after }]
    })
    await chain.add(staged, [], request.externalMessage(changes))
  }
  if (drifted.length > 0) {
    const blobs = drifted.flatMap(file => (file.blob === undefined ? [] : [toObject(file.blob)]))
    const changes = drifted.map(({ path, head, blob }) => ({
      path,
      before: staged.get(path) ?? head,
      after: blob,
    }))
    await chain.add(driftChanges(drifted), blobs, request.externalMessage(changes))
  }
  if (request.message !== undefined) {
    const message = request.message(drifted.length > 0)
    await chain.add(treeChanges(request.changes), blobsOf(request.changes), message)
  }
  return chain.finish(request.files.map(file => file.path))
}

class CommitChain {
  readonly #request: CommitRequest
  readonly #pending = new Map<Oid, Buffer>()
  readonly #objects: NewObject[] = []
  #head: Oid
  #parent: Oid
  #tree: CommitTree
  #commits = 0

  constructor(request: CommitRequest) {
    this.#request = request
    this.#head = request.head
    this.#parent = request.head
    this.#tree = request.tree
  }

  async add(changes: TreeChanges, blobs: readonly NewObject[], message: string): Promise<void> {
    const { format, signatures, source } = this.#request
    const edited = await editTree(this.#tree, changes, format)
    for (const { oid, body } of edited.objects) this.#pending.set(oid, Buffer.from(body))
    const body = serialiseCommit({
      tree: edited.root,
      parents: [this.#head],
      ...signatures,
      message,
    })
    const oid = hashObject(format, 'commit', body)
    this.#objects.push(...blobs, ...edited.objects, { oid, type: 'commit', body })
    this.#parent = this.#head
    this.#head = oid
    this.#commits += 1
    const { oidBytes } = source
    const tree = async (wanted: Oid): Promise<Buffer> =>
      this.#pending.get(wanted) ?? source.tree(wanted)
    this.#tree = new CommitTree(edited.root, { oidBytes, tree })
  }

  async finish(paths: readonly RepoPath[]): Promise<PlannedCommits> {
    const directories = directoriesAlong(paths)
    return {
      head: this.#head,
      tree: this.#tree.root,
      parent: this.#parent,
      commits: this.#commits,
      objects: this.#objects,
      trees: {
        old: await directoryIds(this.#request.tree, directories),
        new: await directoryIds(this.#tree, directories),
      },
    }
  }
}

/** Staged versions that neither head nor the file holds: without a commit of their own git could lose them. */
function stagedOnly(request: CommitRequest): ReadonlyMap<string, HeadEntry> {
  const changes = new Map<string, HeadEntry>()
  for (const { path, head, blob } of request.files) {
    const entry = request.staged.get(path)
    if (entry === undefined || entry.intentToAdd) continue
    if (entry.oid !== head?.oid && entry.oid !== blob?.oid)
      changes.set(path, { oid: entry.oid, mode: entry.mode })
  }
  return changes
}

function driftChanges(files: readonly WorkingFile[]): TreeChanges {
  return new Map(files.map(({ path, blob }) => [path, blob && { oid: blob.oid, mode: blob.mode }]))
}

function treeChanges(changes: readonly IdentifiedChange[]): TreeChanges {
  const entries = new Map<string, { oid: Oid; mode: FileMode } | undefined>()
  for (const { from } of changes) {
    if (from !== undefined) entries.set(from, undefined)
  }
  for (const { path, after, afterOid } of changes) {
    entries.set(path, after && afterOid && { oid: afterOid, mode: after.mode })
  }
  return entries
}

function blobsOf(changes: readonly IdentifiedChange[]): readonly NewObject[] {
  return changes.flatMap(({ before, after, afterOid }) =>
    after === undefined || afterOid === undefined || before?.oid === afterOid
      ? []
      : [{ oid: afterOid, type: 'blob' as const, body: after.bytes }],
  )
}

function toObject(blob: Blob): NewObject {
  return { oid: blob.oid, type: 'blob', body: blob.bytes }
}

function directoriesAlong(paths: readonly RepoPath[]): readonly string[] {
  const directories = new Set([''])
  for (const path of paths) {
    for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
      directories.add(path.slice(0, slash))
    }
  }
  return [...directories]
}

async function directoryIds(
  tree: CommitTree,
  directories: readonly string[],
): Promise<Map<string, Oid>> {
  const ids = new Map<string, Oid>()
  for (const directory of directories) {
    const oid = await tree.directory(directory)
    if (oid !== undefined) ids.set(directory, oid)
  }
  return ids
}
