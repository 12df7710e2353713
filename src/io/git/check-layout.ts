import { type Dirent, lstatSync, readdirSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '../../core/errors.js'

const neededDirectories = ['objects', 'refs']
/** What git or we write into; a link there would lead the writing out of the repository. */
const ownDirectories = [
  'editlatch',
  'info',
  'logs',
  'logs/refs',
  'logs/refs/heads',
  'objects/info',
  'objects/pack',
  'refs/editlatch',
  'refs/heads',
  'worktrees',
]
const ownFiles = ['HEAD', 'packed-refs']

/** Refuses with `UNSUPPORTED_REPOSITORY` where the repository borrows objects or a place that is written to is elsewhere. Cheap: asked again and again. */
export function checkLayout(commonDir: string): void {
  for (const name of ['alternates', 'http-alternates']) {
    if (look(commonDir, `objects/info/${name}`)) {
      throw unsupported(`objects/info/${name} would open another repository; repack without it`)
    }
  }
  for (const name of neededDirectories) {
    if (!look(commonDir, name)?.isDirectory()) throw unsupported(`${name} is not a directory`)
  }
  for (const name of ownDirectories) {
    if (look(commonDir, name)?.isDirectory() === false) {
      throw unsupported(`${name} is not a directory`)
    }
  }
  for (const name of ownFiles) {
    if (look(commonDir, name)?.isFile() === false) throw unsupported(`${name} is not a file`)
  }
}

/** Read by git or by us, at a fixed place. */
const readFiles = ['config.worktree', 'gc.pid', 'index', 'shallow']
/** Everything below is git's or ours, and all of it may be read or written. */
const ownTrees = ['editlatch', 'logs', 'objects', 'refs', 'reftable']

/**
 * Refuses with `UNSUPPORTED_REPOSITORY` where anything in the git directory that git or we would read or write is
 * neither a directory nor a regular file: a link leads out of the repository (git appends to reflogs and reads packs
 * through it), a pipe is waited for for ever. Looks at every name once; for the opening of a repository.
 */
export function checkContents(commonDir: string): void {
  for (const name of readFiles) {
    if (look(commonDir, name)?.isFile() === false) throw unsupported(`${name} is not a file`)
  }
  // Only read, as data: it may be a link, as some tools make it.
  if (statSync(join(commonDir, 'config'), { throwIfNoEntry: false })?.isFile() === false) {
    throw unsupported('config is not a file')
  }
  for (const name of ownTrees) checkTree(commonDir, name)
  for (const { name } of list(commonDir, 'worktrees')) checkWorktree(commonDir, `worktrees/${name}`)
}

function checkWorktree(commonDir: string, path: string): void {
  if (!look(commonDir, path)?.isDirectory()) throw unsupported(`${path} is not a directory`)
  for (const entry of list(commonDir, path)) {
    // Git directories of submodules, and the socket of git's own file system monitor.
    if (entry.name === 'modules' || entry.name.startsWith('fsmonitor--daemon')) continue
    checkEntry(commonDir, path, entry)
  }
}

function checkTree(commonDir: string, path: string): void {
  for (const entry of list(commonDir, path)) checkEntry(commonDir, path, entry)
}

function checkEntry(commonDir: string, above: string, entry: Dirent): void {
  const path = `${above}/${entry.name}`
  if (entry.isDirectory()) checkTree(commonDir, path)
  else if (!entry.isFile()) throw unsupported(`${path} is neither a directory nor a file`)
}

function list(commonDir: string, path: string): readonly Dirent[] {
  if (look(commonDir, path) === undefined) return []
  return readdirSync(join(commonDir, path), { withFileTypes: true })
}

function look(commonDir: string, name: string): Stats | undefined {
  return lstatSync(join(commonDir, name), { throwIfNoEntry: false })
}

function unsupported(problem: string): Refusal {
  return new Refusal('UNSUPPORTED_REPOSITORY', { problem })
}
