import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join, relative } from 'node:path'

/** Where git keeps what a refused request must leave alone; objects that nothing names are nobody's loss. */
const kept = /^(?:HEAD|index|packed-refs|refs\/.*|worktrees\/[^/]+\/(?:HEAD|index))$/

/** Every ref, index and file of a repository and of the worktrees beside it, by path. */
export function readState(repository: string, worktrees: string): ReadonlyMap<string, string> {
  const inGit = filesUnder(join(repository, '.git'), path => kept.test(path))
  return new Map([...inGit, ...filesUnder(worktrees, () => true)])
}

/** The paths at which two states differ. */
export function differences(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    path => before.get(path) !== after.get(path),
  )
}

function filesUnder(
  folder: string,
  isWanted: (path: string) => boolean,
): readonly (readonly [string, string])[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap(entry => {
    const path = join(entry.parentPath, entry.name)
    if (entry.isDirectory() || !isWanted(relative(folder, path))) return []
    const content = entry.isSymbolicLink() ? readlinkSync(path) : readFileSync(path)
    return [[relative(folder, path), createHash('sha1').update(content).digest('hex')] as const]
  })
}
