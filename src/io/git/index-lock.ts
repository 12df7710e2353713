import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal } from '../../core/errors.js'
import { fixedLimits } from '../../core/limits.js'
import { isHeldBy, isUnfreed, type LockFile, tryLock } from './lock-file.js'
import {
  isAlive,
  listOwnerRecords,
  listOwners,
  listOwnFiles,
  type OwnerRecord,
  ownDirectory,
  readOwner,
} from './owner-record.js'

/** Git's own lock of the index of one worktree, held by us: `index.lock` in its git directory. */
export type IndexLock = LockFile

export interface IndexLockOptions {
  readonly waitMs: number
  /**
   * Called when the lock is that of a process of ours that has ended. It must finish or undo what
   * that process began and then call `removeDeadOwner`.
   */
  readonly onDeadOwner: (recordPath: string) => Promise<void>
}

const longestPauseMs = 50

/**
 * Takes `index.lock`, at once where it is free, else within `waitMs`, else `LOCKED`. A lock that is not
 * provably ours is waited for and never deleted.
 */
export async function lockIndex(
  gitDir: string,
  owner: OwnerRecord,
  options: IndexLockOptions,
): Promise<IndexLock> {
  const path = join(gitDir, 'index.lock')
  return tryLock(path, owner) ?? waitForLock(gitDir, path, owner, options)
}

/**
 * Runs `recover` while no other process recovers in this git directory. What is to be recovered must
 * be looked at inside: another process may just have done it.
 */
export async function withRecoveryLock<T>(
  gitDir: string,
  owner: OwnerRecord,
  recover: () => Promise<T>,
): Promise<T> {
  const lock = await takeOver(gitDir, 'recovery.lock', owner)
  try {
    return await recover()
  } finally {
    lock.release()
  }
}

/** Takes a lock of ours at once, also out of the hands of a process that has ended; undefined where another one holds it. */
export async function tryOwnLock(
  gitDir: string,
  name: string,
  owner: OwnerRecord,
): Promise<LockFile | undefined> {
  try {
    return await takeOver(gitDir, name, owner, 0)
  } catch (error) {
    if (error instanceof Refusal && error.code === 'LOCKED') return undefined
    throw error
  }
}

/** True while `index.lock` is that of the process with this record. */
export function isLockedBy(gitDir: string, recordPath: string): boolean {
  const owner = readOwner(recordPath)
  return owner !== undefined && isHeldBy(join(gitDir, 'index.lock'), owner)
}

/** True where `index.lock` is that of a process of ours that has ended, or one that this process could not remove. */
export function isLeftLocked(gitDir: string): boolean {
  const path = join(gitDir, 'index.lock')
  if (isUnfreed(path)) return true
  return existsSync(path) && listOwners(gitDir).some(one => isHeldBy(path, one) && !isAlive(one))
}

/** Removes every lock of an owner that has ended and then its record. Only under the recovery lock. */
export function removeDeadOwner(gitDir: string, recordPath: string): void {
  const dead = readOwner(recordPath)
  if (dead === undefined || isAlive(dead)) return
  for (const path of [join(gitDir, 'index.lock'), ...listOwnFiles(gitDir)]) {
    if (path !== recordPath && isHeldBy(path, dead)) rmSync(path, { force: true })
  }
  rmSync(recordPath, { force: true })
}

/**
 * Removes what processes left that have ended while they did not hold `index.lock`: records, also such as were never
 * finished, and locks of ours. Only for the holder of `index.lock`.
 */
export async function removeDeadOwners(gitDir: string, owner: OwnerRecord): Promise<void> {
  const others = listOwnerRecords(gitDir).filter(path => path !== owner.path)
  const left = others.filter(path => !isLiving(path))
  if (left.length === 0) return
  await withRecoveryLock(gitDir, owner, async () => {
    for (const path of left) {
      removeDeadOwner(gitDir, path)
      // Who is just writing its record writes it again where it is missing.
      if (readOwner(path) === undefined) rmSync(path, { force: true })
    }
  })
}

function isLiving(recordPath: string): boolean {
  const owner = readOwner(recordPath)
  return owner !== undefined && isAlive(owner)
}

/**
 * Takes a lock of ours, also out of the hands of a process that has ended. Of all who see the dead
 * one's lock only the holder of a second lock, named after the dead owner, may remove it, and only
 * after looking again: a dead owner never takes a lock again, so what is seen then stays true. The
 * second lock is taken in the same way; each step down stands for one more process that has ended.
 */
async function takeOver(
  gitDir: string,
  name: string,
  owner: OwnerRecord,
  waitMs: number = fixedLimits.lockWaitMs,
): Promise<LockFile> {
  const path = join(ownDirectory(gitDir), name)
  const onDeadOwner = async (recordPath: string): Promise<void> => {
    const dead = readOwner(recordPath)
    if (dead === undefined) return
    const turn = await takeOver(gitDir, `takeover-${dead.nonce}.lock`, owner)
    if (isHeldBy(path, dead)) rmSync(path, { force: true })
    turn.release()
  }
  const options = { waitMs, onDeadOwner }
  return tryLock(path, owner) ?? waitForLock(gitDir, path, owner, options)
}

async function waitForLock(
  gitDir: string,
  path: string,
  owner: OwnerRecord,
  { waitMs, onDeadOwner }: IndexLockOptions,
): Promise<LockFile> {
  const deadline = performance.now() + waitMs
  for (let pauseMs = 1; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    const dead = listOwners(gitDir).find(other => isHeldBy(path, other) && !isAlive(other))
    if (dead !== undefined) await onDeadOwner(dead.path)
    const lock = tryLock(path, owner)
    if (lock !== undefined) return lock
    const leftMs = deadline - performance.now()
    if (leftMs <= 0) throw lockedBy(path)
    await sleep(Math.min(pauseMs, leftMs))
  }
}

function lockedBy(path: string): Refusal {
  const reason = path.slice(path.lastIndexOf('/') + 1)
  return new Refusal('LOCKED', { reason, lock: path })
}
