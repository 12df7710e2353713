import { fixedLimits } from '../../core/limits.js'
import { parentOf, standingDirectories } from '../../io/files/standing-directories.js'
import { countByGrep, type LineCounts, type LinePattern } from '../../io/git/count-matches.js'
import { type IndexLayout, readIndex } from '../../io/git/index-file.js'
import { listOthers, listRegular } from '../../io/git/list-names.js'
import { countByRipgrep } from '../../io/git/ripgrep.js'
import type { SearchEngine } from '../../report/search-view.js'
import { isWithoutFiles } from '../checkout/absent-files.js'
import type { Checkout } from '../checkout/checkout.js'

/** The files of a worktree whose lines fit a pattern, as they are on the disk. */
export interface CountedLines {
  readonly engine: SearchEngine
  /** Lines by path, in the order of the paths. */
  readonly counts: ReadonlyMap<string, number>
  /** Files that hold the pattern and whose names are not UTF-8. */
  readonly unnamed: number
  /** All names, by their bytes as latin1. */
  readonly names: readonly string[]
}

/**
 * Finds the files to read for a search: a superset by bytes of what they hold as text, so that whoever reads them has
 * the last word. Refuses with `PATTERN_TIMEOUT` or `INVALID_ARGUMENTS`.
 */
export async function countLines(
  checkout: Checkout,
  pattern: LinePattern,
  { path, ripgrep: installed }: { readonly path: string; readonly ripgrep: string | undefined },
): Promise<CountedLines> {
  const ripgrep = pattern.syntax === 'regex' ? installed : undefined
  const absent = isWithoutFiles(checkout)
  const { place } = checkout
  const found = await Promise.all([
    ripgrep === undefined
      ? countByGrep(place, pattern, { path, cached: false })
      : countListed(checkout, ripgrep, pattern, path),
    ...(absent ? [countByGrep(place, pattern, { path, cached: true })] : []),
  ])
  const engine = pattern.syntax === 'fixed' ? 'git grep' : ripgrep ? 'ripgrep' : 'git grep -P'
  return { engine, ...named(found) }
}

/** Ripgrep reads the directories that hold files which git lists; what git does not list does not count. */
async function countListed(
  checkout: Checkout,
  program: string,
  pattern: LinePattern,
  path: string,
): Promise<LineCounts> {
  const { place } = checkout
  const untracked = listOthers(place, path)
  // Looked at only when ripgrep is done; a failure must not go unheard until then.
  untracked.catch(() => {})
  const tracked = await trackedFiles(checkout)
  const directories = await standing(checkout, tracked.directories, path)
  const count = (where: readonly string[]): Promise<LineCounts> =>
    countByRipgrep(program, place, pattern, where)
  const first = await count(directories)
  const others = await untracked
  const known = new Set(tracked.directories)
  const unknown = directoriesOf(others).filter(directory => !known.has(directory))
  const fresh = await standing(checkout, unknown, path)
  const second = await count(fresh)
  const listed = new Set(others)
  const scope = Buffer.from(path).toString('latin1')
  const counts = new Map<string, number>()
  for (const [name, lines] of [...first, ...second]) {
    const isWanted = path === '' || name === scope || name.startsWith(`${scope}/`)
    if (!isWanted) continue
    if (tracked.regular.has(name) || listed.has(name)) counts.set(name, lines)
  }
  return counts
}

/** Regular files of the index, by their bytes as latin1, and where they stand. */
interface TrackedFiles {
  readonly index: IndexLayout | undefined
  readonly regular: ReadonlySet<string>
  readonly directories: readonly string[]
}

const keptLists = new WeakMap<Checkout, TrackedFiles>()

/** A list is kept as long as the index is the same. */
async function trackedFiles(checkout: Checkout): Promise<TrackedFiles> {
  const index = currentIndex(checkout)
  const kept = keptLists.get(checkout)
  if (kept !== undefined && kept.index === index) return kept
  const regular = await listRegular(checkout.place)
  const listed = { index, regular, directories: directoriesOf(regular) }
  if (index !== undefined && regular.size <= fixedLimits.keptListFiles) {
    keptLists.set(checkout, listed)
  }
  return listed
}

/** Undefined where only git can read it. */
function currentIndex(checkout: Checkout): IndexLayout | undefined {
  try {
    return readIndex(checkout.indexPath, checkout.indexCache)
  } catch {
    return undefined
  }
}

/** The directories of names. Those that are not UTF-8 cannot be told to a program. */
function directoriesOf(names: Iterable<string>): readonly string[] {
  const directories = new Set<string>()
  let last: string | undefined
  for (const name of names) {
    const directory = parentOf(name)
    // Neighbours in the list are neighbours on the disk.
    if (directory === last) continue
    last = directory
    const text = utf8Of(directory)
    if (text !== undefined) directories.add(text)
  }
  return [...directories]
}

/** Those of the directories at or below a path, or above the file that it names, but none that a link leads to. */
async function standing(
  checkout: Checkout,
  directories: readonly string[],
  path: string,
): Promise<readonly string[]> {
  const wanted = directories.filter(
    one => path === '' || one === path || one.startsWith(`${path}/`) || one === parentOf(path),
  )
  const found = await standingDirectories(checkout.path, wanted)
  return wanted.filter(directory => found.has(directory))
}

function named(found: readonly LineCounts[]): Omit<CountedLines, 'engine'> {
  const all = new Map<string, number>()
  let unnamed = 0
  for (const [bytes, lines] of found.flatMap(counts => [...counts])) {
    const name = utf8Of(bytes)
    if (name === undefined) unnamed += 1
    else all.set(name, Math.max(lines, all.get(name) ?? 0))
  }
  const inOrder = [...all].sort(([a], [b]) => (a < b ? -1 : 1))
  return { counts: new Map(inOrder), unnamed, names: found.flatMap(counts => [...counts.keys()]) }
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function utf8Of(latin1: string): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII with all its control characters.
  if (/^[\u0000-\u007f]*$/.test(latin1)) return latin1
  try {
    return strict.decode(Buffer.from(latin1, 'latin1'))
  } catch {
    return undefined
  }
}
