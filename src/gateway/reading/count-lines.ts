import { parentOf, standingDirectories } from '../../io/files/standing-directories.js'
import { countByGrep, type LinePattern, type OnFile } from '../../io/git/count-matches.js'
import { listOthers, utf8Of } from '../../io/git/list-names.js'
import type { MatchedLines } from '../../io/git/read-matches.js'
import { findByRipgrep } from '../../io/git/ripgrep.js'
import type { SearchEngine } from '../../report/search-view.js'
import { isWithoutFiles } from '../checkout/absent-files.js'
import type { Checkout } from '../checkout/checkout.js'
import { Moment } from '../checkout/moment.js'
import { directoriesOf, type TrackedFiles, trackedFiles } from './tracked-files.js'

/** The files of a worktree whose lines fit a pattern, as they are on the disk. */
export interface CountedLines {
  readonly engine: SearchEngine
  /** By path, in the order of the paths. */
  readonly matched: ReadonlyMap<string, MatchedLines>
  /** Before the first file was looked into. */
  readonly begun: Moment
  /** Files that hold the pattern and whose names are not UTF-8. */
  readonly unnamed: number
  /** All names, by their bytes as latin1. */
  readonly names: readonly string[]
}

/** Where and with what files are looked for. */
export interface CountWays {
  readonly path: string
  /** The program that reads patterns; undefined where it is not installed. */
  readonly ripgrep: string | undefined
  /** May be told the first files while others are still looked for. */
  readonly onFile?: OnFile
}

/** By names, which are bytes as latin1. */
type Found = ReadonlyMap<string, MatchedLines>

/**
 * Finds the files to read for a search: a superset by bytes of what they hold as text, so that whoever reads them has
 * the last word. Refuses with `PATTERN_TIMEOUT` or `INVALID_ARGUMENTS`.
 */
export async function countLines(
  checkout: Checkout,
  pattern: LinePattern,
  { path, ripgrep: installed, onFile }: CountWays,
): Promise<CountedLines> {
  const ripgrep = pattern.syntax === 'regex' ? installed : undefined
  const begun = new Moment()
  const byGrep = async (cached: boolean): Promise<Found> =>
    countedOnly(await countByGrep(checkout.place, pattern, { path, cached, onFile }))
  const found = await Promise.all([
    ripgrep === undefined ? byGrep(false) : findListed(checkout, ripgrep, pattern, path),
    ...(isWithoutFiles(checkout) ? [byGrep(true)] : []),
  ])
  const engine = pattern.syntax === 'fixed' ? 'git grep' : ripgrep ? 'ripgrep' : 'git grep -P'
  return { engine, begun, ...named(found) }
}

function countedOnly(counts: ReadonlyMap<string, number>): Found {
  return new Map([...counts].map(([name, count]) => [name, { count, lines: undefined }]))
}

/** Ripgrep reads the directories that hold files which git lists; what git does not list does not count. */
async function findListed(
  checkout: Checkout,
  program: string,
  pattern: LinePattern,
  path: string,
): Promise<Found> {
  const { keptListing, place } = checkout
  const find = (directories: Iterable<string>): Promise<Found> =>
    findByRipgrep(program, place, pattern, [...directories])
  const tracked = await trackedFiles(checkout)
  const near = tracked.directories.filter(one => isNear(one, path))
  const { last } = keptListing
  if (last !== undefined) {
    const all = new Set([...near, ...directoriesOf(last.others).filter(one => isNear(one, path))])
    const finding = find([...all].filter(one => last.standing.has(one)))
    // Where something has changed, what is found so is forgotten, and so is a failure.
    finding.catch(() => {})
    const kept = await keptListing.current()
    if (kept?.others === last.others)
      return listedOf(await finding, { tracked, others: last.others, path })
  }
  const asked = path === '' ? keptListing.listOthers() : listOthers(place, path)
  // Looked at only when ripgrep is done; a failure must not go unheard until then.
  asked.catch(() => {})
  const first = await find(await standing(checkout, near))
  const others = await asked
  const known = new Set(tracked.directories)
  const unknown = directoriesOf(others).filter(one => !known.has(one) && isNear(one, path))
  const second = await find(await standing(checkout, unknown))
  return listedOf(new Map([...first, ...second]), { tracked, others, path })
}

/** True for a directory at or below a path, or above the file that it names. */
function isNear(directory: string, path: string): boolean {
  if (path === '' || directory === path) return true
  return directory.startsWith(`${path}/`) || directory === parentOf(path)
}

/** Those of the directories that no link leads to. */
async function standing(
  checkout: Checkout,
  directories: readonly string[],
): Promise<readonly string[]> {
  const found = await standingDirectories(checkout.path, directories)
  return directories.filter(directory => found.has(directory))
}

interface ListedFiles {
  readonly tracked: TrackedFiles
  readonly others: readonly string[]
  readonly path: string
}

function listedOf(found: Found, { tracked, others, path }: ListedFiles): Found {
  const untracked = new Set(others)
  const scope = Buffer.from(path).toString('latin1')
  const isWanted = (name: string): boolean =>
    path === '' || name === scope || name.startsWith(`${scope}/`)
  return new Map(
    [...found].filter(([name]) => isWanted(name) && (untracked.has(name) || tracked.has(name))),
  )
}

function named(found: readonly Found[]): Pick<CountedLines, 'matched' | 'unnamed' | 'names'> {
  const all = new Map<string, MatchedLines>()
  let unnamed = 0
  for (const [bytes, lines] of found.flatMap(one => [...one])) {
    const name = utf8Of(bytes)
    const other = name === undefined ? undefined : all.get(name)
    if (name === undefined) unnamed += 1
    else if (other === undefined || other.count < lines.count) all.set(name, lines)
  }
  const inOrder = [...all].sort(([a], [b]) => (a < b ? -1 : 1))
  return { matched: new Map(inOrder), unnamed, names: found.flatMap(one => [...one.keys()]) }
}
