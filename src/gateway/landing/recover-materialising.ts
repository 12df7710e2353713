import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal } from '../../core/errors.js'
import { fixedLimits } from '../../core/limits.js'
import { parseRepoPath, type RepoPath } from '../../core/repo-path.js'
import { removeFile } from '../../io/files/remove-file.js'
import { smudgeBlob } from '../../io/git/convert-file.js'
import { copyIndex } from '../../io/git/index-copy.js'
import { readIndex } from '../../io/git/index-file.js'
import { lookUpIndex } from '../../io/git/index-lookup.js'
import { adoptIndex } from '../../io/git/index-patch.js'
import { ownDirectory } from '../../io/git/owner-record.js'
import { type ByteName, nameText, refreshIndex, setPresence } from '../../io/git/skip-worktree.js'
import { syncPaths } from '../../io/git/sync-paths.js'
import { syncTree } from '../../io/git/sync-tree.js'
import { skippedFiles } from '../checkout/absent-files.js'
import type { Checkout } from '../checkout/checkout.js'
import { readDisk } from '../checkout/read-disk.js'

/** Says that files are being written which the index does not know of yet. Only for the holder of index.lock. */
export async function markMaterialising({ gitDir, durability }: Checkout): Promise<void> {
  writeFileSync(markPath(gitDir), '')
  if (durability === 'power') await syncPaths([markPath(gitDir), ownDirectory(gitDir)])
}

/** Under `power` what was written must survive a cut first: nobody would know afterwards that it may be torn. */
export async function unmarkMaterialising(checkout: Checkout): Promise<void> {
  const { gitDir, indexPath, place, path } = checkout
  if (checkout.durability === 'power') {
    await syncTree(place, path)
    await syncPaths([indexPath, gitDir])
  }
  rmSync(markPath(gitDir), { force: true })
}

/** True while files are being written, or where whoever wrote them was cut off. */
export function isMaterialising({ gitDir }: Pick<Checkout, 'gitDir'>): boolean {
  return existsSync(markPath(gitDir))
}

/**
 * Ends a materialising that was cut off. Files that came through whole count from now on; one that is a mere beginning
 * of what git holds was cut off too and goes: nobody's work is lost with it. Anything else is somebody's and stays.
 */
export async function recoverMaterialising(checkout: Checkout): Promise<void> {
  if (!isMaterialising(checkout)) return
  await untilWriterEnds(checkout)
  const { present } = await skippedFiles(checkout)
  await withPrivateIndex(checkout, async index => {
    await setPresence(checkout.place, index, present, 'needed')
    const changed = new Set(await refreshIndex(checkout.place, index))
    const torn = await removeTorn(
      checkout,
      present.filter(name => changed.has(name)),
    )
    await setPresence(checkout.place, index, torn, 'not_needed')
  })
  for (const name of readdirSync(checkout.workDir)) {
    if (/^files-[0-9a-f]{12}$/.test(name)) rmSync(join(checkout.workDir, name), { recursive: true })
  }
  await unmarkMaterialising(checkout)
}

/** Runs with a private copy of the index, which then takes its place. Only for the holder of index.lock. */
export async function withPrivateIndex(
  { workDir, indexPath, indexCache }: Checkout,
  change: (index: string) => Promise<void>,
): Promise<void> {
  // A name that a recovery knows and removes.
  const fresh = join(workDir, `new-index-${randomBytes(6).toString('hex')}`)
  try {
    copyIndex(indexPath, fresh)
    await change(fresh)
    adoptIndex(fresh, indexPath, indexCache)
  } finally {
    rmSync(fresh, { force: true })
    rmSync(`${fresh}.lock`, { force: true })
  }
}

/** A git that outlives its starter holds the lock of its private index until it finds the end of its input. */
async function untilWriterEnds({ workDir }: Checkout): Promise<void> {
  const isAtWork = (): boolean =>
    readdirSync(workDir).some(name => /^new-index-[0-9a-f]{12}\.lock$/.test(name))
  for (let waitedMs = 0; isAtWork() && waitedMs < fixedLimits.lockWaitMs; waitedMs += pauseMs) {
    await sleep(pauseMs)
  }
}

const pauseMs = 20

async function removeTorn(
  checkout: Checkout,
  names: readonly ByteName[],
): Promise<readonly ByteName[]> {
  const torn: ByteName[] = []
  for (const name of names) if (await isRemoved(checkout, name)) torn.push(name)
  return torn
}

/** True where the file was torn and is gone; what cannot be judged stays. */
async function isRemoved(checkout: Checkout, name: ByteName): Promise<boolean> {
  try {
    const path = parseRepoPath(nameText(name))
    const bytes = readDisk(checkout.path, path, fixedLimits.recoveredFileBytes)?.bytes
    if (bytes === undefined || !(await isBeginning(checkout, path, bytes))) return false
    const removal = { expected: { bytes }, tempDir: checkout.workDir }
    return 'removed' in removeFile(checkout.path, path, removal)
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

async function isBeginning(checkout: Checkout, path: RepoPath, bytes: Buffer): Promise<boolean> {
  const layout = readIndex(checkout.indexPath, checkout.indexCache)
  const entry = (await lookUpIndex(checkout.place, layout, [path])).get(path)
  if (entry === undefined) return false
  const whole = await smudgeBlob(checkout.place, path, entry.oid)
  return bytes.length < whole.length && whole.subarray(0, bytes.length).equals(bytes)
}

function markPath(gitDir: string): string {
  return join(ownDirectory(gitDir), 'materialising')
}
