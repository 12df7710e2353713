import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { type RepoPath, splitPath } from '../../core/repo-path.js'
import {
  type DisplacedFile,
  keepByLink,
  lookForFile,
  noHardLinks,
  openDisplaced,
} from './displaced-file.js'
import { removeIfEmpty } from './empty-directory.js'
import { errnoOf, unlessErrno, withRefusals } from './io-refusal.js'
import { type OpenDirectory, openDirectory, removeEmptyDirectories } from './safe-walk.js'
import { rescueName, withTempNames } from './temp-files.js'

/** What a file is to become, and what it must be now. */
export interface FileReplacement {
  readonly bytes: Uint8Array
  readonly executable: boolean
  readonly expected: { readonly bytes: Uint8Array } | 'absent'
  /** A directory of ours in the git directory, made where it is missing. */
  readonly tempDir: string
  /** True: the bytes survive a power cut once they have their name. */
  readonly durable?: boolean
}

/** `foreign`: something else stood there, and still does. */
export type Replaced = { readonly stat: BigIntStats } | { readonly kept: 'foreign' }

const foreign: Replaced = { kept: 'foreign' }

/**
 * Gives a file below `root` new bytes in one step: readers see the old file or the new one. Links are
 * refused (`SYMLINK`), missing directories are made, and nothing that somebody else wrote is
 * overwritten: the old file is compared just before it is displaced and once more afterwards, because
 * a program that writes in place may have been at it in between; then it gets its name back. (Between
 * the last look and the rename lie microseconds in which a file renamed into place would be lost:
 * Node has no renameat2.) The stat data are those of the new file, with its last change time.
 */
export function replaceFile(root: string, path: RepoPath, replacement: FileReplacement): Replaced {
  return withRefusals(() => {
    const { directory: above } = splitPath(path)
    const isNew = replacement.expected === 'absent'
    const directory = openDirectory(root, above, isNew ? 'create' : 'leave')
    if (directory === undefined) return foreign
    let answer = foreign
    try {
      answer = replaceIn(directory, path, replacement)
      return answer
    } finally {
      directory.close()
      if (answer === foreign) removeEmptyDirectories(root, above, directory.made)
    }
  })
}

function replaceIn(
  directory: OpenDirectory,
  path: RepoPath,
  replacement: FileReplacement,
): Replaced {
  const { expected, tempDir } = replacement
  const { name } = splitPath(path)
  const standing = lookForFile(directory, name, path)
  if (expected !== 'absent') {
    if (standing !== 'file') return foreign
    return withTempNames(directory, name, tempDir, freshName =>
      withTempFile(freshName(), replacement, temp =>
        displace(
          directory,
          path,
          { before: expected.bytes, after: replacement.bytes },
          temp,
          freshName,
        ),
      ),
    )
  }
  if (standing === 'file') return foreign
  if (standing === 'directory' && !removeIfEmpty(directory, name, path)) return foreign
  return withTempNames(directory, name, tempDir, freshName =>
    withTempFile(freshName(), replacement, temp => create(directory.at(name), temp, replacement)),
  )
}

interface TempFile {
  readonly path: string
  readonly fd: number
}

function withTempFile(
  path: string,
  replacement: FileReplacement,
  act: (temp: TempFile) => Replaced,
): Replaced {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants
  const mode = replacement.executable ? 0o777 : 0o666
  const fd = openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode)
  try {
    writeFileSync(fd, replacement.bytes)
    if (replacement.durable) fsyncSync(fd)
    return act({ path, fd })
  } finally {
    closeSync(fd)
  }
}

function displace(
  directory: OpenDirectory,
  path: RepoPath,
  { before, after }: { readonly before: Uint8Array; readonly after: Uint8Array },
  temp: TempFile,
  freshName: () => string,
): Replaced {
  const { name } = splitPath(path)
  const target = directory.at(name)
  const old = openDisplaced(target, path)
  if (old === undefined) return foreign
  try {
    if (!old.holds(before)) return foreign
    const kept = keepByLink(target, freshName())
    if (!old.isAt(target)) return foreign
    renameSync(temp.path, target)
    if (old.holds(before)) return { stat: fstatSync(temp.fd, { bigint: true }) }
    const spare = freshName()
    restore(directory, path, { ...temp, bytes: after }, kept ?? copyOf(old, freshName()), spare)
    return foreign
  } finally {
    old.close()
  }
}

// Who has replaced our file meanwhile has also replaced the one before it. Who has written into ours finds that
// beside it, under a name that says so.
function restore(
  directory: OpenDirectory,
  path: RepoPath,
  ours: TempFile & { readonly bytes: Uint8Array },
  kept: string,
  spare: string,
): void {
  const { name } = splitPath(path)
  const target = directory.at(name)
  const second = keepByLink(target, spare)
  const { dev, ino } = fstatSync(ours.fd, { bigint: true })
  const stat = lstatSync(second ?? target, { bigint: true, throwIfNoEntry: false })
  if (stat?.dev !== dev || stat.ino !== ino) return
  renameSync(kept, target)
  const written = second === undefined ? undefined : openDisplaced(second, path)
  if (second === undefined || written === undefined) return
  const isOurs = written.holds(ours.bytes)
  written.close()
  if (!isOurs) renameSync(second, directory.at(rescueName(name)))
}

function copyOf(old: DisplacedFile, path: string): string {
  writeFileSync(path, readFileSync(old.fd), { flag: 'wx' })
  return path
}

// A link never overwrites. The change time counts for git, so the other name goes before it is asked for.
function create(target: string, temp: TempFile, replacement: FileReplacement): Replaced {
  try {
    linkSync(temp.path, target)
  } catch (error) {
    const errno = errnoOf(error) ?? ''
    if (errno === 'EEXIST' || errno === 'ENOENT') return foreign
    if (!noHardLinks.includes(errno)) throw error
    return createInPlace(target, replacement)
  }
  unlinkSync(temp.path)
  return { stat: fstatSync(temp.fd, { bigint: true }) }
}

// Without hard links: never overwrites either, but is seen while it is written.
function createInPlace(target: string, replacement: FileReplacement): Replaced {
  const answer = unlessErrno(['EEXIST', 'ENOENT'], () =>
    withTempFile(target, replacement, ({ fd }) => ({ stat: fstatSync(fd, { bigint: true }) })),
  )
  return answer ?? foreign
}
