import {
  type BigIntStats,
  closeSync,
  fstatSync,
  linkSync,
  lstatSync,
  openSync,
  readFileSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import type { Owner, OwnerRecord } from './owner-record.js'

/** A lock that this process holds. */
export interface LockFile {
  readonly path: string
  /** False when somebody took the lock away by force. */
  isHeld(): boolean
  /** Frees the lock; one that is no longer ours stays. Never throws: one that cannot be removed goes when it is taken next. */
  release(): void
}

const noHardLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'ENOSYS', 'EXDEV'])

/**
 * Takes the lock by linking the owner record there, which fails where anything stands; undefined then.
 * On a file system without hard links the lock is a copy of the record, created exclusively.
 */
export function tryLock(path: string, owner: OwnerRecord): LockFile | undefined {
  freeAgain(path)
  const taken = createLock(path, owner)
  if (taken === undefined) return undefined
  // The next lock of this process is the same file: one that was freed must not touch it.
  let isFreed = false
  const isHeld = (): boolean => !isFreed && isSameFile(taken, lookAt(path))
  const release = (): void => {
    if (isHeld() && !isRemoved(path)) unfreed.set(path, taken)
    isFreed = true
  }
  return { path, isHeld, release }
}

/** Locks that this process is done with but could not remove, as on a disk that had become read-only. */
const unfreed = new Map<string, BigIntStats>()

/** True where this process could not remove a lock that it is done with. */
export function isUnfreed(path: string): boolean {
  return unfreed.has(path)
}

/** What could not be removed then may be removable now. */
function freeAgain(path: string): void {
  const left = unfreed.get(path)
  if (left === undefined) return
  if (isSameFile(left, lookAt(path))) rmSync(path, { force: true })
  unfreed.delete(path)
}

/** What was done under the lock is done, whether or not the lock can be removed. */
function isRemoved(path: string): boolean {
  try {
    unlinkSync(path)
    return true
  } catch {
    return false
  }
}

/** True where the lock that stands at `path` is provably one of this owner. */
export function isHeldBy(path: string, owner: Owner): boolean {
  const lock = lookAt(path)
  const record = lookAt(owner.path)
  if (lock === undefined || record === undefined) return false
  if (isSameFile(lock, record)) return true
  // Without hard links: the same bytes, with the same nonce.
  return lock.isFile() && lock.size === record.size && sameContent(path, owner.path)
}

function createLock(path: string, owner: OwnerRecord): BigIntStats | undefined {
  try {
    linkSync(owner.path, path)
    return lookAt(owner.path)
  } catch (error) {
    const code = errorCode(error) ?? ''
    if (code === 'EEXIST') return undefined
    if (noHardLinks.has(code)) return copyRecord(path, owner)
    if (code !== 'ENOENT') throw error
    // Somebody cleaned our directory up.
    owner.restore()
    return createLock(path, owner)
  }
}

function copyRecord(path: string, owner: OwnerRecord): BigIntStats | undefined {
  const file = openNew(path)
  if (file === undefined) return undefined
  try {
    writeFileSync(file, readFileSync(owner.path))
    return fstatSync(file, { bigint: true })
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  } finally {
    closeSync(file)
  }
}

function openNew(path: string): number | undefined {
  try {
    return openSync(path, 'wx')
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return undefined
    throw error
  }
}

function lookAt(path: string): BigIntStats | undefined {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false })
}

function isSameFile(a: BigIntStats | undefined, b: BigIntStats | undefined): boolean {
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino
}

function sameContent(a: string, b: string): boolean {
  try {
    return readFileSync(a).equals(readFileSync(b))
  } catch {
    return false
  }
}

function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}
