import { type BigIntStats, lstatSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '../../core/errors.js'
import type { RepoPath } from '../../core/repo-path.js'
import { type FileOnDisk, lstatSafely, readFileSafely } from '../../io/files/read-file.js'

/**
 * The file at a path of the worktree. None also where a directory stands there or a file stands above it: a batch may
 * be about to change that, and whether it is in the way is judged elsewhere. Refuses as `readFileSafely` for all else.
 */
export function readDisk(root: string, path: RepoPath, maxBytes: number): FileOnDisk | undefined {
  return unlessShape(root, path, () => readFileSafely(root, path, maxBytes))
}

/** The stat data of the file that `readDisk` would read. */
export function statDisk(root: string, path: RepoPath): BigIntStats | undefined {
  const stat = unlessShape(root, path, () => lstatSafely(root, path))
  return stat?.isDirectory() ? undefined : stat
}

function unlessShape<T>(root: string, path: RepoPath, look: () => T): T | undefined {
  try {
    return look()
  } catch (error) {
    const isShape =
      error instanceof Refusal && error.code === 'NOT_REGULAR' && isDirectoryOrBelowFile(root, path)
    if (isShape) return undefined
    throw error
  }
}

function isDirectoryOrBelowFile(root: string, path: RepoPath): boolean {
  let here = root
  for (const name of path.split('/')) {
    here = join(here, name)
    const stat = lstatSync(here, { throwIfNoEntry: false })
    if (!stat?.isDirectory()) return stat?.isFile() === true && here !== join(root, path)
  }
  return true
}
