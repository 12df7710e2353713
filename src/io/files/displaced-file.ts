import { closeSync, fstatSync, linkSync, lstatSync, readSync, renameSync } from 'node:fs'
import type { RepoPath } from '../../core/repo-path.js'
import { doneUnless } from './io-refusal.js'
import { openRegular, refuseUnlessRegular } from './read-file.js'
import { lookAt, type OpenDirectory } from './safe-walk.js'
import { rescueName } from './temp-files.js'

/** The file that stands where ours goes, held open, so that it can be looked at once more afterwards. */
export interface DisplacedFile {
  readonly fd: number
  /** True while it holds exactly these bytes. */
  holds(bytes: Uint8Array): boolean
  /** True while it is what stands at a path. */
  isAt(path: string): boolean
  close(): void
}

/** Errors of link(2) on file systems that have no hard links, or no more of them for this file. */
export const noHardLinks = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'ENOSYS']

/** Opens the regular file at `target`; undefined where it is gone. */
export function openDisplaced(target: string, path: RepoPath): DisplacedFile | undefined {
  const fd = openRegular(target, path)
  if (fd === undefined) return undefined
  const { dev, ino } = fstatSync(fd, { bigint: true })
  return {
    fd,
    holds: bytes => holdsBytes(fd, bytes),
    isAt: other => {
      const stat = lstatSync(other, { bigint: true, throwIfNoEntry: false })
      return stat?.dev === dev && stat.ino === ino
    },
    close: () => closeSync(fd),
  }
}

/** Makes a second name for a file; undefined where it is gone or there are no hard links. */
export function keepByLink(target: string, kept: string): string | undefined {
  const isKept = doneUnless(['ENOENT', ...noHardLinks], () => linkSync(target, kept))
  return isKept ? kept : undefined
}

/**
 * Gives a file that was moved away its name back, without overwriting what stands there by now: then
 * it stays beside it under a name that says so.
 */
export function putBack(moved: string, directory: OpenDirectory, name: string): void {
  const target = directory.at(name)
  const isBack = doneUnless(['EEXIST', ...noHardLinks], () => linkSync(moved, target))
  if (isBack) return
  const isFree = lookAt(directory, name) === undefined
  renameSync(moved, isFree ? target : directory.at(rescueName(name)))
}

/** What stands at a name, which must be a regular file, a directory or nothing. */
export function lookForFile(
  directory: OpenDirectory,
  name: string,
  path: RepoPath,
): 'file' | 'directory' | 'nothing' {
  const stat = lookAt(directory, name)
  if (stat === undefined) return 'nothing'
  if (stat.isDirectory()) return 'directory'
  refuseUnlessRegular(stat, path)
  return 'file'
}

function holdsBytes(fd: number, expected: Uint8Array): boolean {
  const bytes = Buffer.allocUnsafe(expected.length + 1)
  let done = 0
  while (done < bytes.length) {
    const count = readSync(fd, bytes, done, bytes.length - done, done)
    if (count === 0) break
    done += count
  }
  return bytes.subarray(0, done).equals(expected)
}
