import { createHash } from 'node:crypto'
import { Refusal } from '../../core/errors.js'
import type { Oid } from '../../core/oid.js'
import type { RepoPath } from '../../core/repo-path.js'
import { type IndexLayout, readIndex } from '../../io/git/index-file.js'
import type { IndexLock } from '../../io/git/index-lock.js'
import { hasUnmerged, lookUpIndex } from '../../io/git/index-lookup.js'
import { allDone, syncRef } from '../../io/git/object-writer.js'
import { RefMoved } from '../../io/git/ref-writer.js'
import type { Checkout } from '../checkout/checkout.js'
import { statDisk } from '../checkout/read-disk.js'
import type { WorkingFile } from '../checkout/working-file.js'
import type { WorkingTree } from '../checkout/working-tree.js'
import { faultAsRefusal } from './faults.js'
import { removeIntent, writeIntent } from './intent.js'
import { keepObjects } from './keep-objects.js'
import { lockCheckout } from './lock-checkout.js'
import {
  type IdentifiedChange,
  type OutsideChange,
  type PlannedCommits,
  planCommits,
  type Signatures,
} from './plan-commits.js'
import { settledHead } from './recover-checkout.js'
import { withAbsence } from './set-absence.js'
import { type FileWrite, tryFilters, type WrittenFile, writeCheckout } from './write-checkout.js'

/** What is to be landed on a branch. */
export interface Landing {
  readonly tree: WorkingTree
  readonly changes: readonly IdentifiedChange[]
  /** Paths whose outside changes are committed though the batch does not touch them. */
  readonly alsoTouched: readonly RepoPath[]
  /** The message of the batch, which tells of outside changes before it; absent where only those are committed. */
  readonly message?: (external: boolean) => string
  readonly externalMessage: (changes: readonly OutsideChange[]) => string
  readonly signatures: Signatures
  readonly signal?: AbortSignal
}

/** What stands now. */
export interface Landed {
  readonly commit: Oid
  readonly parent: Oid
  /** True where outside changes got a commit of their own. */
  readonly external: boolean
  /** Paths where somebody wrote at the last moment; their bytes were left. */
  readonly kept: readonly RepoPath[]
  /** True where the commit stands but files or index could not be brought up to it yet. */
  readonly unfinished: boolean
}

/**
 * Lands changes: lock the index, look again, write the intent, the objects, move the branch (the commit point),
 * then files and index. `moved` where the branch or a touched file changed since it was read: nothing was written,
 * resolve again. A failure before the commit point leaves everything as it was. `held`: the lock, where the caller has it.
 */
export async function landChanges(
  checkout: Checkout,
  landing: Landing,
  held?: IndexLock,
): Promise<Landed | 'moved'> {
  const lock = held ?? (await lockCheckout(checkout))
  try {
    const files = withAbsence(checkout, landing.changes, await touchedFiles(landing))
    const layout = await stillSame(checkout, landing, files)
    if (layout === undefined) return 'moved'
    const plan = await makePlan(checkout, landing, files, layout)
    if (landing.signal?.aborted) throw new Refusal('CANCELLED')
    if (!(await moveBranch(checkout, landing, files, plan))) return 'moved'
    const isDurable = await syncBranch(checkout)
    const landed = await finish(checkout, landing, files, plan, layout)
    if (!isDurable) throw new Refusal('NOT_DURABLE', { commit: landed.commit })
    return landed
  } finally {
    if (held === undefined) lock.release()
  }
}

/** Under `power` the branch must survive a cut; where the disk does not say so the commit stands all the same. */
async function syncBranch({ durability, branch, served, onFault }: Checkout): Promise<boolean> {
  if (durability === 'process') return true
  try {
    await syncRef(served.repository.commonDir, branch)
    return true
  } catch (error) {
    onFault(error)
    return false
  }
}

async function touchedFiles({
  tree,
  changes,
  alsoTouched,
}: Landing): Promise<readonly WorkingFile[]> {
  const paths = new Set<RepoPath>(alsoTouched)
  for (const { path, from } of changes) {
    paths.add(path)
    if (from !== undefined) paths.add(from)
  }
  return Promise.all([...paths].sort().map(path => tree.file(path)))
}

/** The index as it is under our lock; undefined where the branch or a touched file is no longer what it was. */
async function stillSame(
  checkout: Checkout,
  landing: Landing,
  files: readonly WorkingFile[],
): Promise<IndexLayout | undefined> {
  checkout.assertQuiet()
  // Mostly seen here already; what moves the branch later is seen by the compare-and-swap.
  if ((await checkout.head()) !== landing.tree.head) return undefined
  const layout = readIndex(checkout.indexPath, checkout.indexCache)
  if (await hasUnmerged(checkout.place, layout)) {
    throw new Refusal('LOCKED', { reason: 'unmerged index' })
  }
  return files.every(file => isAsSeen(checkout, file)) ? layout : undefined
}

function isAsSeen(checkout: Checkout, { path, disk }: WorkingFile): boolean {
  const now = statDisk(checkout.path, path)
  if (disk === undefined || now === undefined)
    return (disk === undefined) === (now === undefined || !now.isFile())
  const { stat } = disk
  return (
    now.ino === stat.ino &&
    now.size === stat.size &&
    now.mtimeNs === stat.mtimeNs &&
    now.ctimeNs === stat.ctimeNs
  )
}

async function makePlan(
  checkout: Checkout,
  landing: Landing,
  files: readonly WorkingFile[],
  layout: IndexLayout,
): Promise<PlannedCommits> {
  const { reader, repository } = checkout.served
  return planCommits({
    head: landing.tree.head,
    tree: landing.tree.commitTree,
    source: reader,
    format: repository.objectFormat,
    signatures: landing.signatures,
    files,
    staged: await lookUpIndex(
      checkout.place,
      layout,
      files.map(({ path }) => path),
    ),
    changes: landing.changes,
    ...(landing.message !== undefined && { message: landing.message }),
    externalMessage: landing.externalMessage,
  })
}

/** Up to the commit point. False where somebody moved the branch first. */
async function moveBranch(
  checkout: Checkout,
  landing: Landing,
  files: readonly WorkingFile[],
  plan: PlannedCommits,
): Promise<boolean> {
  const { workDir, durability, branch, served } = checkout
  const update = { ref: branch, old: landing.tree.head, new: plan.head }
  try {
    // Both must be there before the branch moves; neither waits for the other.
    await allDone([
      writeIntent(
        workDir,
        { ...update, paths: intentPaths(landing, files), objects: plan.objects },
        durability,
      ),
      served.store(plan.objects, durability),
    ])
    // What a prune took already is there again before anybody can find it missing.
    await keepObjects(checkout, plan.objects)
    await tryFilters(checkout, fileWrites(landing, files))
    await checkout.refs.update([update], () => checkout.assertOnBranch())
  } catch (error) {
    // Only a branch that did not move allows the intent to go; else the next one finishes it.
    const head = error instanceof RefMoved ? checkout.head() : settledHead(checkout, update.old)
    if ((await head) !== plan.head) {
      removeIntent(workDir)
      if (error instanceof RefMoved) return refMoved(error)
      throw error
    }
  }
  return true
}

function refMoved(error: RefMoved): false {
  const fault = faultAsRefusal(error)
  // A lock that could not be made is not always somebody's.
  const isFault = fault instanceof Refusal && /^(DISK_FULL|IO_FAULT)$/.test(fault.code)
  if (isFault) throw fault
  const { lock } = error
  if (lock !== undefined) throw new Refusal('LOCKED', { reason: 'a ref is locked', lock })
  return false
}

function intentPaths(
  landing: Landing,
  files: readonly WorkingFile[],
): readonly {
  path: RepoPath
  disk: string | null
  after: { oid: Oid; mode: string } | null
  absent?: boolean
}[] {
  const after = blobsAfter(landing, files)
  return files.map(({ path, disk, absent }) => {
    const blob = after.get(path)
    return {
      path,
      disk: disk === undefined ? null : createHash('sha256').update(disk.bytes).digest('hex'),
      after: blob === undefined ? null : { oid: blob.oid, mode: blob.mode },
      ...(absent && { absent }),
    }
  })
}

/** What each touched path holds in the end; absent where it is removed. */
function blobsAfter(
  { changes }: Landing,
  files: readonly WorkingFile[],
): Map<RepoPath, NonNullable<WorkingFile['blob']>> {
  const after = new Map(
    files.flatMap(({ path, blob }) => (blob === undefined ? [] : [[path, blob] as const])),
  )
  for (const { from } of changes) {
    if (from !== undefined) after.delete(from)
  }
  for (const change of changes) {
    if (change.after === undefined || change.afterOid === undefined) after.delete(change.path)
    else after.set(change.path, { ...change.after, oid: change.afterOid })
  }
  return after
}

/** Behind the commit point nothing may fail any more: what could not be done now is left to the intent. */
async function finish(
  checkout: Checkout,
  landing: Landing,
  files: readonly WorkingFile[],
  plan: PlannedCommits,
  layout: IndexLayout,
): Promise<Landed> {
  const { served, workDir } = checkout
  served.rememberCommit(plan.head, plan.tree)
  for (const { oid, type, body } of plan.objects) {
    if (type === 'tree') served.reader.rememberTree(oid, Buffer.from(body))
  }
  let written: readonly WrittenFile[] = []
  let unfinished = false
  try {
    await keepObjects(checkout, plan.objects)
    written = await writeCheckout(checkout, fileWrites(landing, files), {
      trees: plan.trees,
      layout,
    })
    removeIntent(workDir)
  } catch (error) {
    checkout.onFault(error)
    unfinished = true
  }
  return {
    commit: plan.head,
    parent: plan.parent,
    external: plan.commits > (landing.message === undefined ? 0 : 1),
    kept: written.filter(({ kept }) => kept).map(({ path }) => path),
    unfinished,
  }
}

function fileWrites(landing: Landing, files: readonly WorkingFile[]): readonly FileWrite[] {
  const after = blobsAfter(landing, files)
  const changed = new Set(
    landing.changes.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from])),
  )
  const keepsAttributes = ![...changed].some(path => path.endsWith('.gitattributes'))
  return files.map(({ path, disk, attributes, absent }) => ({
    path,
    after: after.get(path),
    expected: disk?.bytes,
    write: changed.has(path),
    ...(absent && { absent }),
    ...(disk !== undefined && { stat: disk.stat }),
    ...(keepsAttributes && { attributes }),
  }))
}
