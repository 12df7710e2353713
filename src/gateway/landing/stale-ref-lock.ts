import { type BigIntStats, lstatSync, readFileSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { unlessErrno } from '../../io/files/io-refusal.js'
import type { Checkout } from '../checkout/checkout.js'
import type { Intent } from './intent.js'

const stillMs = 1_000

/**
 * Removes the locks that a killed git left where it was moving our branch: the branch's own lock, proven by holding the
 * id of the intent's commit, which nobody else knows, and HEAD's, which git takes with it and leaves empty. One that
 * is still written to, or that a living git lets go of, is none of these. All other locks stay.
 */
export async function removeStaleRefLock(
  { served, gitDir }: Checkout,
  intent: Intent,
): Promise<void> {
  const lock = join(served.repository.commonDir, `${intent.ref}.lock`)
  if (!holds(lock, intent.new)) return
  const headLock = join(gitDir, 'HEAD.lock')
  const before = [lookAt(lock), lookAt(headLock)]
  await sleep(stillMs)
  if (!holds(lock, intent.new) || !isSame(before[0], lookAt(lock))) return
  remove(lock)
  if (before[1]?.size === 0n && isSame(before[1], lookAt(headLock))) remove(headLock)
}

function holds(lock: string, oid: string): boolean {
  return unlessErrno(['ENOENT'], () => readFileSync(lock, 'latin1'))?.trimEnd() === oid
}

function lookAt(path: string): BigIntStats | undefined {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false })
}

function isSame(a: BigIntStats | undefined, b: BigIntStats | undefined): boolean {
  return a !== undefined && a.ino === b?.ino && a.mtimeNs === b.mtimeNs && a.size === b.size
}

function remove(path: string): void {
  unlessErrno(['ENOENT'], () => unlinkSync(path))
}
