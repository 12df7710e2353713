import { lstatSync, realpathSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { Refusal } from '../../core/errors.js'
import { readRegular } from './read-regular.js'

/** Where a repository lies: real absolute paths. */
export interface RepositoryPlace {
  /** What all its worktrees share; `.git` of an ordinary checkout. */
  readonly commonDir: string
  /** The main checkout; absent for a bare repository. */
  readonly workTree?: string
  readonly name: string
  /** True where the checkout only says where its git directory is, and that lies elsewhere. */
  readonly apart?: true
}

const pointerBytes = 65_536

/**
 * Finds the repository that holds a directory by reading `.git`, `commondir` and `HEAD` only: git itself is
 * not asked, since what it would read on the way is the repository's own configuration.
 * Refuses with `NOT_FOUND`, or `UNSUPPORTED_REPOSITORY` where the pointers do not fit each other.
 */
export function discoverRepository(path: string): RepositoryPlace {
  if (!statOrNothing(path)?.isDirectory()) throw notFound(path, 'there is no such directory')
  let directory = realpathSync(resolve(path))
  for (;;) {
    const place = repositoryAt(directory)
    if (place !== undefined) return place
    const parent = dirname(directory)
    if (parent === directory) throw notFound(path, noRepository)
    directory = parent
  }
}

const noRepository =
  'neither this directory nor one above it is a git repository; go to one, name one by its path, or make one here: git init, and a first commit'

function notFound(path: string, problem: string): Refusal {
  return new Refusal('NOT_FOUND', { repository: path, problem })
}

function repositoryAt(directory: string): RepositoryPlace | undefined {
  const dotGit = join(directory, '.git')
  const entry = lstatOrNothing(dotGit)
  if (entry?.isDirectory() && isGitDir(dotGit)) {
    return { commonDir: dotGit, workTree: directory, name: basename(directory) }
  }
  if (entry?.isFile()) return repositoryOfGitFile(directory, dotGit)
  if (isGitDir(directory))
    return { commonDir: directory, name: basename(directory).replace(/\.git$/, '') }
  return undefined
}

function repositoryOfGitFile(directory: string, dotGit: string): RepositoryPlace {
  const target = /^gitdir: (.+?)\n?$/.exec(readPointer(dotGit))?.[1]
  if (target === undefined) throw unsupported('the .git file names no directory')
  const gitDir = realpathOrRefuse(resolve(directory, target))
  const commonDirFile = join(gitDir, 'commondir')
  if (lstatOrNothing(commonDirFile) === undefined) {
    return { commonDir: gitDir, workTree: directory, name: basename(directory), apart: true }
  }
  const commonDir = realpathOrRefuse(resolve(gitDir, readPointer(commonDirFile).trimEnd()))
  if (realpathOrRefuse(resolve(gitDir, readPointer(join(gitDir, 'gitdir')).trimEnd())) !== dotGit) {
    throw unsupported(
      'the worktree is not the one that git knows there; `git worktree repair` may help',
    )
  }
  if (dirname(gitDir) !== join(commonDir, 'worktrees') || !isGitDir(commonDir)) {
    throw unsupported('the worktree does not lie in the repository it names')
  }
  if (basename(commonDir) !== '.git')
    return { commonDir, name: basename(commonDir).replace(/\.git$/, '') }
  const workTree = dirname(commonDir)
  return { commonDir, workTree, name: basename(workTree) }
}

function isGitDir(directory: string): boolean {
  return (
    lstatOrNothing(join(directory, 'objects'))?.isDirectory() === true &&
    lstatOrNothing(join(directory, 'refs'))?.isDirectory() === true &&
    lstatOrNothing(join(directory, 'HEAD')) !== undefined
  )
}

function readPointer(path: string): string {
  return readRegular(path, pointerBytes)?.toString('utf8') ?? ''
}

function realpathOrRefuse(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    throw unsupported('the .git file names a directory that is not there')
  }
}

function unsupported(problem: string): Refusal {
  return new Refusal('UNSUPPORTED_REPOSITORY', { problem })
}

function statOrNothing(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false })
}

function lstatOrNothing(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false })
}
