import {
  type BigIntStats,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  rmdirSync,
} from 'node:fs'
import { Refusal } from '../../core/errors.js'
import { type RepoPath, splitPath } from '../../core/repo-path.js'
import { doneUnless, errnoOf, unlessErrno } from './io-refusal.js'

/**
 * A directory that is held open. What is done `at` a name in it happens in that very directory, even
 * if somebody puts a symbolic link in its place meanwhile. Must be closed.
 */
export interface OpenDirectory {
  /** The directory itself, for node:fs. */
  readonly self: string
  /** How many directories at the end of its path were made to open it. */
  readonly made: number
  /** A name in it, for node:fs; as bytes where it need not be UTF-8. */
  at(name: string): string
  at(name: Uint8Array): Buffer
  stat(): BigIntStats
  close(): void
}

/** `create`: missing directories are made, with mode 0777 and the umask. */
export type WhenMissing = 'create' | 'leave'

// Linux resolves these names from the open descriptor. Elsewhere Node has no such door to openat(2):
// paths are joined, each component is looked at, and a race in between is not closed.
const hasDescriptorPaths = existsSync('/proc/self/fd')

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants
const turns = 8

/**
 * Opens a directory below `root` ('' is the root itself) without following a link on the way; only the
 * root, which its owner named, may be one. `SYMLINK` for links, `NOT_REGULAR` for anything else that is
 * no directory, undefined where a directory is missing and is left so.
 */
export function openDirectory(
  root: string,
  directory: string,
  whenMissing: WhenMissing,
): OpenDirectory | undefined {
  return openByNames(root, directory === '' ? [] : directory.split('/'), whenMissing, directory)
}

/** The same by the names on the way, which may be bytes. `path` is what a refusal names. */
export function openByNames(
  root: string,
  names: readonly (string | Uint8Array)[],
  whenMissing: WhenMissing,
  path: string,
): OpenDirectory | undefined {
  let here: OpenDirectory | undefined = hold(openSync(root, O_RDONLY | O_DIRECTORY), root, 0)
  for (const name of names) {
    const parent: OpenDirectory = here
    try {
      here = openChild(parent, name, whenMissing, path)
    } finally {
      parent.close()
    }
    if (here === undefined) return undefined
  }
  return here
}

/** Opens the directory of a path, runs `act` in it with the last name, and closes it. */
export function inDirectoryOf<T>(
  root: string,
  path: RepoPath,
  whenMissing: WhenMissing,
  act: (directory: OpenDirectory, name: string) => T,
): T | undefined {
  const { directory, name } = splitPath(path)
  const opened = openDirectory(root, directory, whenMissing)
  if (opened === undefined) return undefined
  try {
    return act(opened, name)
  } finally {
    opened.close()
  }
}

/** A directory in an open one, as `openDirectory` does it. `path` is what a refusal names. */
export function openChild(
  parent: OpenDirectory,
  name: string | Uint8Array,
  whenMissing: WhenMissing,
  path: string,
): OpenDirectory | undefined {
  const target = typeof name === 'string' ? parent.at(name) : parent.at(name)
  let made = 0
  try {
    // More than one turn only where somebody puts a directory there and takes it away again.
    for (let turn = 0; turn < turns; turn += 1) {
      const fd = unlessErrno(['ENOENT'], () =>
        openSync(target, O_RDONLY | O_DIRECTORY | O_NOFOLLOW),
      )
      if (fd !== undefined) return hold(fd, target, made)
      if (whenMissing === 'leave') return undefined
      if (doneUnless(['EEXIST'], () => mkdirSync(target))) made = parent.made + 1
    }
  } catch (error) {
    throw toObstacle(error, target, path)
  }
  throw new Refusal('SYMLINK', { path })
}

/** A path that leads to what a descriptor holds, whatever stands by now at the path that it was opened by. */
export function pathOfDescriptor(fd: number, openedBy: string): string {
  return hasDescriptorPaths ? `/proc/self/fd/${fd}` : openedBy
}

/** What stands at a name, links not followed; undefined for nothing. */
export function lookAt(directory: OpenDirectory, name: string): BigIntStats | undefined {
  return lstatSync(directory.at(name), { bigint: true, throwIfNoEntry: false })
}

/**
 * Removes a directory and those above it as long as each is empty, at most `levels` of them and never
 * the root. Never fails: what cannot be removed stays.
 */
export function removeEmptyDirectories(root: string, directory: string, levels: number): void {
  const names = directory === '' ? [] : directory.split('/')
  for (let left = levels; left > 0 && names.length > 0; left -= 1) {
    const name = names.pop() ?? ''
    if (!removeEmptyDirectory(root, names.join('/'), name)) return
  }
}

function removeEmptyDirectory(root: string, above: string, name: string): boolean {
  try {
    const parent = openDirectory(root, above, 'leave')
    if (parent === undefined) return true
    try {
      rmdirSync(parent.at(name))
      return true
    } finally {
      parent.close()
    }
  } catch {
    return false
  }
}

function hold(fd: number, path: string | Buffer, made: number): OpenDirectory {
  const self = hasDescriptorPaths ? `/proc/self/fd/${fd}` : path.toString()
  function at(name: string): string
  function at(name: Uint8Array): Buffer
  function at(name: string | Uint8Array): string | Buffer {
    return typeof name === 'string'
      ? `${self}/${name}`
      : Buffer.concat([Buffer.from(`${self}/`), name])
  }
  return {
    self,
    made,
    at,
    stat: () => fstatSync(fd, { bigint: true }),
    close: () => closeSync(fd),
  }
}

// Linux says ENOTDIR for a link too. What is a directory when looked at was something else just now.
function toObstacle(error: unknown, target: string | Buffer, path: string): unknown {
  if (!['ENOTDIR', 'ELOOP'].includes(errnoOf(error) ?? '')) return error
  const stat = lstatSync(target, { throwIfNoEntry: false })
  const isOther = stat !== undefined && !stat.isSymbolicLink() && !stat.isDirectory()
  return new Refusal(isOther ? 'NOT_REGULAR' : 'SYMLINK', { path })
}
