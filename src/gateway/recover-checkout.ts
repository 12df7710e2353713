import { createHash } from 'node:crypto'
import { type Blob, type FileMode, isRegular } from '../core/blob.js'
import { Refusal } from '../core/errors.js'
import { fixedLimits } from '../core/limits.js'
import { isOid, type Oid } from '../core/oid.js'
import { parseRepoPath } from '../core/repo-path.js'
import { readFileSafely } from '../io/files/read-file.js'
import { ensureNoTempFiles } from '../io/files/temp-files.js'
import { removeDeadOwner, withRecoveryLock } from '../io/git/index-lock.js'
import type { Checkout } from './checkout.js'
import { type Intent, type IntentPath, intentPath, readIntent, removeIntent } from './intent.js'
import { type FileWrite, writeFiles, writeIndex } from './write-checkout.js'

/** Finishes or drops what a process began that has ended while it held index.lock, then frees the lock. */
export async function recoverDeadOwner(checkout: Checkout, recordPath: string): Promise<void> {
  await withRecoveryLock(checkout.gitDir, checkout.owner, async () => {
    await recoverCheckout(checkout)
    removeDeadOwner(checkout.gitDir, recordPath)
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
  removeIntent(checkout.workDir)
  ensureNoTempFiles(checkout.workDir)
}

async function act(checkout: Checkout, intent: Intent): Promise<void> {
  const head = await checkout.served.reader.resolveRef(intent.ref)
  if (head === intent.old) return
  if (head !== intent.new) {
    throw new Refusal('DIVERGED', {
      branch: intent.ref,
      head: head ?? null,
      intent: intentPath(checkout.workDir),
    })
  }
  const writes = await Promise.all(intent.paths.map(path => fileWrite(checkout, path)))
  const written = await writeFiles(checkout, writes)
  const noTrees = { old: new Map<string, Oid>(), new: new Map<string, Oid>() }
  await writeIndex(checkout, written, noTrees, checkout.served.repository.objectFormat)
}

async function fileWrite(checkout: Checkout, entry: IntentPath): Promise<FileWrite> {
  const path = parseRepoPath(entry.path)
  const disk = readFileSafely(checkout.path, path, fixedLimits.recoveredFileBytes)
  const sha = disk === undefined ? null : createHash('sha256').update(disk.bytes).digest('hex')
  const after = entry.after === null ? undefined : await readBlob(checkout, entry.after)
  if (disk !== undefined && after !== undefined && Buffer.from(disk.bytes).equals(after.bytes)) {
    return { path, after, expected: disk.bytes, write: false, stat: disk.stat }
  }
  // Foreign bytes: `expected` names what is not there, so they stay and show up as drift.
  const expected = sha === entry.disk ? disk?.bytes : foreign
  return { path, after, expected, write: true }
}

const foreign = new Uint8Array(1)

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
