import type { FoldedFiles, MapAnswer, MapOrder, MappedFile } from './map-view.js'
import { renderMapText } from './map-view.js'

/** What a map is made of: every file by its rank, and the names that some of them declare. */
export interface MapSource {
  readonly path: string
  readonly head: string
  readonly sort: MapOrder
  readonly ranked: readonly string[]
  readonly symbols: ReadonlyMap<string, readonly string[]>
  readonly unnamed: number
  /** Directories deeper than this below `path` are folded. */
  readonly depth: number
  readonly goOn: string
}

/** Shares of the budget that go to names: of those ranked first all that there are, of the next three each. */
const manyShare = 0.22
const fewShare = 0.42
const few = 3
/** Share of the budget for directories that only tell how many files they hold. */
const foldedShare = 0.1

/** The most of a map whose text fits into the budget. */
export function fitMap(source: MapSource, maxBytes: number): MapAnswer {
  const eligible = source.ranked.filter(path => isWithinDepth(path, source))
  const counts = countDirectories(source.ranked)
  const make = (files: readonly MappedFile[]): MapAnswer =>
    answerOf(source, files, foldRest(files, counts, maxBytes * foldedShare))
  const fits = (files: readonly MappedFile[]): boolean =>
    bytesOf(renderMapText(make(files))) <= maxBytes
  const full = withNames(eligible, source, { many: Infinity, few: 0 })
  // Every name costs a byte and a blank at least.
  if (full.length * 2 < maxBytes && fits(full)) return make(full)
  const candidates = eligible.slice(0, Math.ceil(maxBytes / 2))
  const named = (share: number): readonly MappedFile[] =>
    withNames(candidates, source, { many: share * manyShare, few: share * fewShare })
  const ranked = named(maxBytes)
  const most = lastThat(ranked.length, count => fits(ranked.slice(0, count)))
  if (most < eligible.length) return make(ranked.slice(0, most))
  // Where every file has its place, the room that is left is for more names.
  return make(named(maxBytes + lastThat(2 * maxBytes, more => fits(named(maxBytes + more)))))
}

/** The greatest number up to `high` of which it holds, if it holds of all below that; 0 where of none. */
function lastThat(high: number, holds: (count: number) => boolean): number {
  let low = 0
  let above = high + 1
  while (above - low > 1) {
    const middle = (low + above) >>> 1
    if (holds(middle)) low = middle
    else above = middle
  }
  return low
}

function isWithinDepth(path: string, { path: scope, depth }: MapSource): boolean {
  const below = scope === '' ? path : path.slice(scope.length + 1)
  return below.split('/').length - 1 <= depth
}

/** Names as long as there is budget for them: first many for each file, then few. */
function withNames(
  paths: readonly string[],
  { symbols }: MapSource,
  tiers: { readonly many: number; readonly few: number },
): readonly MappedFile[] {
  let spent = 0
  return paths.map(path => {
    const all = symbols.get(path) ?? []
    const told = spent < tiers.many ? all : spent < tiers.few ? all.slice(0, few) : []
    spent += told.reduce((sum, name) => sum + bytesOf(name) + 1, 0)
    return { path, symbols: told }
  })
}

/** How many files stand directly in each directory; directories end in a slash, '' is the root. */
function countDirectories(paths: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const path of paths) {
    const directory = directoryOf(path)
    counts.set(directory, (counts.get(directory) ?? 0) + 1)
  }
  return counts
}

/** Files that are not named, counted at the directory that stands in the map, or right below it while there is budget. */
function foldRest(
  files: readonly MappedFile[],
  counts: ReadonlyMap<string, number>,
  budget: number,
): readonly FoldedFiles[] {
  const named = countDirectories(files.map(({ path }) => path))
  const standing = new Set(['', ...[...named.keys()].flatMap(above)])
  const folded = new Map<string, number>()
  for (const [directory, count] of counts) {
    const hidden = count - (named.get(directory) ?? 0)
    if (hidden === 0) continue
    const place = above(directory).find(one => !standing.has(one)) ?? directory
    folded.set(place, (folded.get(place) ?? 0) + hidden)
  }
  let left = budget
  const told = new Map<string, number>()
  for (const [path, count] of [...folded].sort(([, a], [, b]) => b - a)) {
    const isStanding = standing.has(path)
    if (!isStanding) left -= path.length - parentOf(path).length + 12
    const place = isStanding || left > 0 ? path : parentOf(path)
    told.set(place, (told.get(place) ?? 0) + count)
  }
  return [...told]
    .map(([path, count]) => ({ path, files: count }))
    .sort((a, b) => b.files - a.files)
}

/** The directories of a path from the outermost to itself: `a/`, `a/b/`. */
function above(directory: string): readonly string[] {
  const found: string[] = []
  for (let at = directory.indexOf('/'); at >= 0; at = directory.indexOf('/', at + 1)) {
    found.push(directory.slice(0, at + 1))
  }
  return found
}

function directoryOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1)
}

function parentOf(directory: string): string {
  return directoryOf(directory.slice(0, -1))
}

function answerOf(
  { path, head, sort, ranked, unnamed, goOn }: MapSource,
  files: readonly MappedFile[],
  folded: readonly FoldedFiles[],
): MapAnswer {
  const truncated = files.length < ranked.length
  return {
    path,
    head,
    sort,
    files,
    folded,
    shown_files: files.length,
    total_files: ranked.length,
    unnamed_files: unnamed,
    truncated,
    ...(truncated && { go_on: goOn }),
  }
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length
}
