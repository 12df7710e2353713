import { createHash } from 'node:crypto'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Blob, type FileMode, isRegular } from '../../core/blob.js'
import { Refusal } from '../../core/errors.js'
import { fixedLimits } from '../../core/limits.js'
import { isOid, type Oid } from '../../core/oid.js'
import type { RepoPath } from '../../core/repo-path.js'
import { sameBytes } from '../../core/text-edit.js'
import type { FileOnDisk } from '../../io/files/read-file.js'
import { ensureNoTempFiles, ensureNoTempFilesBeside } from '../../io/files/temp-files.js'
import { fileMode } from '../../io/git/commit-tree.js'
import type { NewObject } from '../../io/git/edit-tree.js'
import { hashObject } from '../../io/git/hash-object.js'
import { readIndex } from '../../io/git/index-file.js'
import {
  isLeftLocked,
  isLockedBy,
  isLockedByLiving,
  removeDeadOwner,
  withRecoveryLock,
} from '../../io/git/index-lock.js'
import type { Checkout } from '../checkout/checkout.js'
import { readDisk } from '../checkout/read-disk.js'
import { type Intent, type IntentPath, intentPath, readIntent, removeIntent } from './intent.js'
import { keepObjects } from './keep-objects.js'
import { isMaterialising, recoverMaterialising } from './recover-materialising.js'
import { removeStaleRefLock } from './stale-ref-lock.js'
import { type FileWrite, writeCheckout } from './write-checkout.js'

/**
 * True where a batch was begun that is not finished, by a process at work or by one that has ended, or where that one
 * left anything else half done. Files that somebody is writing out change nothing that a reader sees.
 */
export function needsRecovery(checkout: Checkout): boolean {
  const { gitDir, workDir } = checkout
  return (
    existsSync(intentPath(workDir)) ||
    (isMaterialising(checkout) && !isLockedByLiving(gitDir)) ||
    isLeftLocked(gitDir)
  )
}

/** Finishes or drops what a process began that has ended while it held index.lock, then frees the lock. */
export async function recoverDeadOwner(checkout: Checkout, recordPath: string): Promise<void> {
  const { gitDir, owner } = checkout
  await withRecoveryLock(gitDir, owner, async () => {
    // Another process may have recovered meanwhile and be at work under the lock by now.
    if (!isLockedBy(gitDir, recordPath)) return
    await recoverCheckout(checkout)
    removeDeadOwner(gitDir, recordPath)
  })
}

/**
 * Acts on an intent that nobody is working on; the caller holds the index lock or stands in for its dead owner.
 * The branch moved: files that still hold the old bytes are brought up to it, others are somebody's work and stay.
 * It did not: nothing happened, the intent goes. It stands elsewhere: `DIVERGED`, nothing is touched.
 */
export async function recoverCheckout(checkout: Checkout): Promise<void> {
  const intent = readIntent(checkout.workDir)
  if (intent !== undefined) await act(checkout, intent)
  for (const { path } of intent?.paths ?? []) removeLeftBeside(checkout, path)
  removeIntent(checkout.workDir)
  await recoverMaterialising(checkout)
  ensureNoTempFiles(checkout.workDir)
  removeIndexCopies(checkout.workDir)
}

/** Temporary files lie beside their target where the git directory is on another file system. */
function removeLeftBeside(checkout: Checkout, path: RepoPath): void {
  try {
    ensureNoTempFilesBeside(checkout.path, path)
  } catch (error) {
    // What leads through a link now is no longer the directory we wrote to.
    if (!(error instanceof Refusal)) throw error
  }
}

/** Those that were to become the index. Copies that readers work on have other names: their owners live. */
function removeIndexCopies(workDir: string): void {
  for (const name of readdirSync(workDir)) {
    if (/^new-index-[0-9a-f]{12}/.test(name)) rmSync(join(workDir, name), { force: true })
  }
}

/** Where a branch stands, when no git is left that was told to move it: one may outlive us, or our patience with it. */
export async function settledHead(
  { served, refs, branch }: Checkout,
  old: string,
): Promise<Oid | undefined> {
  const head = await served.resolveRef(branch)
  return head !== old || (await refs.standsAt(branch, head)) ? head : served.resolveRef(branch)
}

async function act(checkout: Checkout, intent: Intent): Promise<void> {
  await removeStaleRefLock(checkout, intent)
  if ((await settledHead(checkout, intent.old)) === intent.old) return
  await keepObjects(checkout, intent.objects.filter(isWhole(checkout)))
  const head = await checkout.served.resolveRef(checkout.branch)
  const isOurs = head === intent.new && intent.ref === checkout.branch
  if (!isOurs || !(await isTrue(checkout, head, intent))) {
    throw new Refusal('DIVERGED', {
      branch: intent.ref,
      head: head ?? null,
      intent: intentPath(checkout.workDir),
    })
  }
  const writes = await Promise.all(intent.paths.map(path => fileWrite(checkout, path)))
  const trees = { old: new Map<string, Oid>(), new: new Map<string, Oid>() }
  const layout = readIndex(checkout.indexPath, checkout.indexCache)
  await writeCheckout(checkout, writes, { trees, layout })
}

/** Whether a body is what its id says: it may be cut off, or written by anybody. */
function isWhole({ served }: Checkout): (object: NewObject) => boolean {
  const { objectFormat } = served.repository
  return ({ oid, type, body }) => hashObject(objectFormat, type, body) === oid
}

/** True where the intent promises what the commit holds: whoever writes into the git directory could promise anything. */
async function isTrue({ served }: Checkout, head: Oid, { paths }: Intent): Promise<boolean> {
  const tree = await served.treeOf(head)
  for (const { path, after } of paths) {
    const entry = await tree.find(path)
    const mode = entry && fileMode(entry.mode)
    const isSame =
      mode === undefined ? after === null : entry?.oid === after?.oid && mode === after?.mode
    if (!isSame) return false
  }
  return true
}

async function fileWrite(checkout: Checkout, entry: IntentPath): Promise<FileWrite> {
  const { path } = entry
  const after = entry.after === null ? undefined : await readBlob(checkout, entry.after)
  if (entry.absent) return { path, after, expected: undefined, write: false, absent: true }
  const { disk, sha } = lookAtFile(checkout, path)
  if (disk !== undefined && after !== undefined && isWritten(checkout, disk, after)) {
    return { path, after, expected: disk.bytes, write: false, stat: disk.stat }
  }
  // Foreign bytes: `expected` names what is not there, so they stay and show up as drift.
  return { path, after, expected: sha === entry.disk ? disk?.bytes : foreign, write: true }
}

const foreign = new Uint8Array(1)

/** True where the file is what it shall be, mode and all. */
function isWritten({ served }: Checkout, { bytes, stat }: FileOnDisk, after: Blob): boolean {
  const isExecutable = (stat.mode & 0o100n) !== 0n
  const hasMode = isExecutable === (after.mode === '100755') || !served.repository.fileMode
  return hasMode && sameBytes(bytes, after.bytes)
}

interface Look {
  readonly disk: FileOnDisk | undefined
  /** Null where there is nothing; what is no regular file has none that an intent could name. */
  readonly sha: string | null
}

function lookAtFile(checkout: Checkout, path: RepoPath): Look {
  try {
    const disk = readDisk(checkout.path, path, fixedLimits.recoveredFileBytes)
    const sha = disk && createHash('sha256').update(disk.bytes).digest('hex')
    return { disk, sha: sha ?? null }
  } catch (error) {
    if (error instanceof Refusal) return { disk: undefined, sha: 'obstructed' }
    throw error
  }
}

async function readBlob(
  checkout: Checkout,
  entry: { readonly oid: string; readonly mode: string },
): Promise<Blob> {
  const { oid } = entry
  const mode = entry.mode as FileMode
  if (!isOid(oid) || !isRegular(mode))
    throw new Refusal('DIVERGED', { intent: intentPath(checkout.workDir) })
  return {
    oid,
    mode,
    bytes: await checkout.served.reader.blob(oid, fixedLimits.recoveredFileBytes),
  }
}
