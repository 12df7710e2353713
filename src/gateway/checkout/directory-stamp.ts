import { type Dirent, lstatSync, readdirSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { ignoredPaths } from '../../io/git/check-ignored.js'
import type { GitPlace } from '../../io/git/run-git.js'
import type { Moment } from './moment.js'

/** What a stamp is taken of. */
export interface Stamped {
  readonly root: string
  readonly place: GitPlace
  /** The directories that hold what is listed, each with all above it; '' is the root. */
  readonly directories: ReadonlySet<string>
  /** Before the listing that the stamp is for began. */
  readonly begun: Moment
  readonly maxDirectories: number
}

/** Looks, and directories read, between two turns of others: some 4 ms. */
const looksAtOnce = 1_000
const readAtOnce = 64

/**
 * What the directories of a worktree are at a moment. While it holds, git would list the same files: no entry has come
 * or gone in any directory that git looks into, and no list of ignored files has changed.
 */
export class DirectoryStamp {
  /** The directories among it, none of which is a link. */
  readonly directories: ReadonlySet<string>
  readonly #root: string
  readonly #paths: readonly string[]
  readonly #states: readonly string[]

  private constructor(
    root: string,
    directories: ReadonlySet<string>,
    [paths, states]: readonly [paths: readonly string[], states: readonly string[]],
  ) {
    this.#root = root
    this.directories = directories
    this.#paths = paths
    this.#states = states
  }

  /** Undefined where something may have changed since the listing began, or there is too much to look at. */
  static async take(stamped: Stamped): Promise<DirectoryStamp | undefined> {
    const { root, begun } = stamped
    const paths = await visited(stamped)
    if (paths === undefined) return undefined
    const states: string[] = []
    const directories = new Set<string>()
    for (const path of paths) {
      const stat = statOf(join(root, path))
      if (stat !== undefined && !begun.isAfter(stat.ctimeMs)) return undefined
      if (stat?.isDirectory()) directories.add(path)
      states.push(stateOf(stat))
      if (states.length % looksAtOnce === 0) await turn()
    }
    return new DirectoryStamp(root, directories, [paths, states])
  }

  /** True where nothing of it has changed. */
  async holds(): Promise<boolean> {
    for (const [at, path] of this.#paths.entries()) {
      if (stateOf(statOf(join(this.#root, path))) !== this.#states[at]) return false
      if (at % looksAtOnce === looksAtOnce - 1) await turn()
    }
    return true
  }
}

/** Every directory that git looks into, also those that hold nothing to list, and what says there what is ignored. */
async function visited({
  root,
  place,
  directories,
  maxDirectories,
}: Stamped): Promise<readonly string[] | undefined> {
  const known = new Set(directories)
  const others: string[] = []
  for (let fresh = [...known]; fresh.length > 0; ) {
    const below: string[] = []
    for (const [at, directory] of fresh.entries()) {
      const entries = entriesOf(join(root, directory))
      // Its name cannot be told to git.
      if (entries.some(({ name }) => name.includes('\ufffd'))) return undefined
      others.push(...entries.filter(tellsWhatIsIgnored).map(({ name }) => join(directory, name)))
      const isOtherRepository = directory !== '' && entries.some(({ name }) => name === '.git')
      if (!isOtherRepository) below.push(...directoriesIn(directory, entries))
      if (at % readAtOnce === readAtOnce - 1) await turn()
    }
    const unknown = below.filter(directory => !known.has(directory))
    const ignored = await ignoredPaths(place, unknown)
    fresh = unknown.filter(directory => !ignored.has(directory))
    for (const directory of fresh) known.add(directory)
    if (known.size > maxDirectories) return undefined
  }
  return [...known, ...others]
}

/** In the directory of another repository, what it is depends on what its own directory holds. */
function tellsWhatIsIgnored({ name }: Dirent): boolean {
  return name === '.gitignore' || name === '.git'
}

function directoriesIn(directory: string, entries: readonly Dirent[]): readonly string[] {
  return entries
    .filter(entry => entry.isDirectory() && entry.name.toLowerCase() !== '.git')
    .map(({ name }) => join(directory, name))
}

function entriesOf(path: string): readonly Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true })
  } catch {
    // Gone, or nobody may look: then git lists nothing there either, and its stat data tell when that ends.
    return []
  }
}

/** The time of a change cannot be set. */
function stateOf(stat: Stats | undefined): string {
  return stat === undefined ? '' : `${stat.ino} ${stat.mode} ${stat.size} ${stat.ctimeMs}`
}

function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
