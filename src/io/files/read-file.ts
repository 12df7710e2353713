import { type BigIntStats, closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { Refusal } from '../../core/errors.js'
import type { RepoPath } from '../../core/repo-path.js'
import { errnoOf, withRefusals } from './io-refusal.js'
import { inDirectoryOf, lookAt } from './safe-walk.js'

/** A regular file as it stood when it was opened. */
export interface FileOnDisk {
  readonly bytes: Buffer
  readonly stat: BigIntStats
}

/**
 * The file at a path below `root`; undefined where nothing stands. No link is followed (`SYMLINK`),
 * nothing but a regular file is opened (`NOT_REGULAR`; a FIFO does not block), and no more than
 * `maxBytes` are read (`TOO_LARGE`).
 */
export function readFileSafely(
  root: string,
  path: RepoPath,
  maxBytes: number,
): FileOnDisk | undefined {
  return withRefusals(() =>
    inDirectoryOf(root, path, 'leave', (directory, name) => {
      const seen = lookAt(directory, name)
      if (seen === undefined) return undefined
      refuseUnlessRegular(seen, path)
      return readRegular(directory.at(name), path, maxBytes)
    }),
  )
}

/** What stands at a path below `root`, links not followed; undefined for nothing. */
export function lstatSafely(root: string, path: RepoPath): BigIntStats | undefined {
  return withRefusals(() => inDirectoryOf(root, path, 'leave', lookAt))
}

/** `SYMLINK` for a link, `NOT_REGULAR` for any other thing that is no file. */
export function refuseUnlessRegular(stat: BigIntStats, path: RepoPath): void {
  if (stat.isSymbolicLink()) throw new Refusal('SYMLINK', { path })
  if (!stat.isFile()) throw new Refusal('NOT_REGULAR', { path })
}

/** A descriptor of what was a regular file when looked at; undefined where it is gone by now. */
export function openRegular(target: string, path: RepoPath): number | undefined {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
  try {
    return openSync(target, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  } catch (error) {
    const errno = errnoOf(error)
    if (errno === 'ENOENT') return undefined
    if (errno === 'ELOOP') throw new Refusal('SYMLINK', { path })
    if (errno === 'ENXIO' || errno === 'ENODEV') throw new Refusal('NOT_REGULAR', { path })
    throw error
  }
}

function readRegular(target: string, path: RepoPath, maxBytes: number): FileOnDisk | undefined {
  const file = openRegular(target, path)
  if (file === undefined) return undefined
  try {
    const stat = fstatSync(file, { bigint: true })
    refuseUnlessRegular(stat, path)
    return { bytes: readBounded(file, stat, path, maxBytes), stat }
  } finally {
    closeSync(file)
  }
}

// The file may grow while it is read: one byte more than stated is asked for, until there is no more.
function readBounded(file: number, stat: BigIntStats, path: RepoPath, maxBytes: number): Buffer {
  if (stat.size > BigInt(maxBytes)) throw tooLarge(path, Number(stat.size), maxBytes)
  let bytes = Buffer.allocUnsafe(Number(stat.size) + 1)
  let done = 0
  for (;;) {
    const count = readSync(file, bytes, done, bytes.length - done, done)
    done += count
    if (count === 0) return bytes.subarray(0, done)
    if (done > maxBytes) throw tooLarge(path, done, maxBytes)
    if (done === bytes.length) bytes = Buffer.concat([bytes, Buffer.alloc(bytes.length)])
  }
}

function tooLarge(path: RepoPath, bytes: number, limit: number): Refusal {
  return new Refusal('TOO_LARGE', { path, bytes, limit })
}
