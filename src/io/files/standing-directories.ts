import { type BigIntStats, lstatSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'

/** Directories looked at before others may have a turn: some 4 ms. */
const atOnce = 1_000

/**
 * Those of the directories that are directories themselves and are reached through no link, and all above them, with
 * their stat data; relative, '' is the root.
 */
export async function standingDirectories(
  root: string,
  directories: Iterable<string>,
): Promise<ReadonlyMap<string, BigIntStats>> {
  const seen = new Map<string, BigIntStats | undefined>()
  let looked = 0
  const look = (directory: string): BigIntStats | undefined => {
    if (seen.has(directory)) return seen.get(directory)
    const above = directory === '' || look(parentOf(directory)) !== undefined
    const stat = above ? statOf(join(root, directory)) : undefined
    const standing = stat?.isDirectory() ? stat : undefined
    looked += 1
    seen.set(directory, standing)
    return standing
  }
  for (const directory of directories) {
    look(directory)
    if (looked % atOnce === 0) await turn()
  }
  const standing = new Map<string, BigIntStats>()
  for (const [directory, stat] of seen) if (stat !== undefined) standing.set(directory, stat)
  return standing
}

/** The directory that a name stands in; '' for the root. */
export function parentOf(name: string): string {
  return name.slice(0, Math.max(name.lastIndexOf('/'), 0))
}

function statOf(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false })
  } catch {
    // A file stands where a directory stood, or it may not be looked into.
    return undefined
  }
}
