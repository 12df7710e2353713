import { renameSync } from 'node:fs'
import { type RepoPath, splitPath } from '../../core/repo-path.js'
import { lookForFile, openDisplaced, putBack } from './displaced-file.js'
import { doneUnless, withRefusals } from './io-refusal.js'
import { inDirectoryOf, type OpenDirectory, removeEmptyDirectories } from './safe-walk.js'
import { withTempNames } from './temp-files.js'

/** What a file must be to be removed. */
export interface FileRemoval {
  readonly expected: { readonly bytes: Uint8Array }
  /** A directory of ours in the git directory, made where it is missing. */
  readonly tempDir: string
}

/** `foreign`: something else stood there, and still does. A missing file counts as removed. */
export type Removed = { readonly removed: true } | { readonly kept: 'foreign' }

const removed: Removed = { removed: true }
const foreign: Removed = { kept: 'foreign' }

/**
 * Removes a file below `root` that holds the expected bytes, and the directories that are empty then.
 * It is moved away first, so that what is deleted is exactly what was looked at; anything else gets its
 * name back. Links are refused (`SYMLINK`).
 */
export function removeFile(root: string, path: RepoPath, removal: FileRemoval): Removed {
  return withRefusals(() => {
    const answer = inDirectoryOf(root, path, 'leave', directory =>
      removeFrom(directory, path, removal),
    )
    if (answer === removed) removeEmptyDirectories(root, splitPath(path).directory, Infinity)
    return answer ?? removed
  })
}

function removeFrom(directory: OpenDirectory, path: RepoPath, removal: FileRemoval): Removed {
  const { name } = splitPath(path)
  const standing = lookForFile(directory, name, path)
  if (standing === 'nothing') return removed
  if (standing === 'directory') return foreign
  return withTempNames(directory, name, removal.tempDir, freshName =>
    moveAway(directory, path, removal.expected.bytes, freshName()),
  )
}

function moveAway(
  directory: OpenDirectory,
  path: RepoPath,
  expected: Uint8Array,
  grave: string,
): Removed {
  const { name } = splitPath(path)
  const old = openDisplaced(directory.at(name), path)
  if (old === undefined) return removed
  try {
    if (!old.holds(expected)) return foreign
    if (!doneUnless(['ENOENT'], () => renameSync(directory.at(name), grave))) return removed
    if (old.isAt(grave) && old.holds(expected)) return removed
    putBack(grave, directory, name)
    return foreign
  } finally {
    old.close()
  }
}
