import { closeSync, fsyncSync, openSync } from 'node:fs'
import { Refusal, type RefusalCode } from '../../core/errors.js'
import { errnoOf, toRefusal } from '../../io/files/io-refusal.js'
import { RefMoved } from '../../io/git/ref-writer.js'
import { GitFailed } from '../../io/git/run-git.js'
import { CoprocessEnded } from '../../io/git/running-child.js'

/**
 * What a full, failing or forbidding disk, or a damaged repository, means to who asked, whether the system said so to
 * us or to a git that we started. Anything else is a bug and stays what it is.
 */
export function faultAsRefusal(error: unknown): unknown {
  if (error instanceof GitFailed || error instanceof CoprocessEnded) {
    return gitFault(error.stderr) ?? error
  }
  if (error instanceof RefMoved) return gitFault(error.message) ?? error
  if (errnoOf(error) === undefined) return error
  try {
    return toRefusal(error)
  } catch {
    return error
  }
}

/** What seems gone or damaged may be there on a disk that does not answer any more: that is told instead. */
export function truerFault(error: unknown, directory: string): unknown {
  const seems = error instanceof Refusal && seemingDamages.includes(error.code)
  return (seems ? diskFault(directory) : undefined) ?? error
}

const seemingDamages: readonly RefusalCode[] = [
  'WORKTREE_GONE',
  'UNSUPPORTED_REPOSITORY',
  'OBJECT_MISSING',
]

/** A sync is the one thing that no cache answers. */
function diskFault(directory: string): Refusal | undefined {
  try {
    syncDirectory(directory)
    return undefined
  } catch (error) {
    return errnoOf(error) === 'EIO' ? toRefusal(error) : undefined
  }
}

function syncDirectory(directory: string): void {
  const file = openSync(directory, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

function gitFault(stderr: string): Refusal | undefined {
  if (/No space left|Disk quota exceeded/.test(stderr)) return new Refusal('DISK_FULL')
  const missing = lineOf(stderr, /unable to read|missing (blob|tree|commit)|bad object/)
  if (missing !== undefined) return new Refusal('OBJECT_MISSING', { problem: missing })
  const reason = unstarted.exec(stderr)?.[0] ?? faults.find(fault => stderr.includes(fault))
  if (reason !== undefined) return new Refusal('IO_FAULT', { reason })
  const problem = lineOf(stderr, damages)
  return problem === undefined ? undefined : new Refusal('UNSUPPORTED_REPOSITORY', { problem })
}

function lineOf(stderr: string, saying: RegExp): string | undefined {
  const line = stderr.split('\n').find(one => saying.test(one))
  return line && `git says: ${line}`
}

/** What is said of a program that could not be started. */
const unstarted = /(?:^|: )spawn \S+ (?:EMFILE|ENFILE|EAGAIN|ENOMEM)$|^the spawn helper ended$/

const faults = [
  'Read-only file system',
  'Input/output error',
  'Too many open files',
  'Permission denied',
  'Cannot allocate memory',
  'Resource temporarily unavailable',
] as const

/** What git says of refs, indexes and other files of its own that it did not write so. */
const damages =
  /reference broken|unable to resolve reference|via symref|unexpected line in|index file|bad signature|bad index|bad shallow|bad config|bogus|corrupt|not a git repository/i
