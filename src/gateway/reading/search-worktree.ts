import { globMatcher } from '../../core/glob.js'
import { fixedLimits, type Limits } from '../../core/limits.js'
import type { LinePattern, OnFile } from '../../io/git/count-matches.js'
import { fitHits, type SearchBudget } from '../../report/fit-hits.js'
import { showHits, withSymbols } from '../../report/search-hits.js'
import type { FileHits, SearchAnswer, SearchHit, SearchMode } from '../../report/search-view.js'
import type { Checkout } from '../checkout/checkout.js'
import { currentTree } from '../landing/apply-change.js'
import { type CountedLines, countLines } from './count-lines.js'
import type { Searched } from './kept-searches.js'
import { LookAhead, type LookedInto, leastPerFile } from './look-ahead.js'
import { late, type OutlinesInTime } from './outlines-in-time.js'
import type { FoundFile, Reading, SkipReason } from './read-hits.js'
import { type RecodedFiles, searchRecoded } from './recoded-files.js'

/** What to look for in the files of a worktree, and how much of it to answer. */
export interface SearchQuery {
  readonly pattern: string
  readonly mode: SearchMode
  /** A file or directory; '' for all. */
  readonly path: string
  readonly glob?: string | undefined
  readonly ignoreCase: boolean
  /** Lines shown before and after a hit. */
  readonly context: number
  readonly limit: number
  readonly maxBytes: number
  /** Only files after this path. */
  readonly after?: string | undefined
}

/** How a search is done. */
export interface SearchWays {
  readonly limits: Limits
  /** The program that reads patterns; undefined where it is not installed. */
  readonly ripgrep: string | undefined
  readonly outlines: OutlinesInTime
}

/** Bytes kept free for what an answer says of itself. */
const notesBytes = 500
/** Files that are read at once. */
const chunkFiles = 64

/** Looks a pattern up in all files, and its lines again in those that are shown, as they are served. */
export async function searchLines(
  checkout: Checkout,
  query: SearchQuery,
  { limits, ripgrep, outlines }: SearchWays,
): Promise<Searched> {
  const { pattern: text, mode, ignoreCase } = query
  const fits = pathMatcher(query.glob)
  const syntax = mode === 'literal' ? 'fixed' : 'regex'
  const pattern: LinePattern = { text, syntax, ignoreCase }
  const tree = await currentTree(checkout, limits)
  const reading: Reading = { checkout, tree, ripgrep }
  const { after = '', limit } = query
  const wants = (path: string): boolean => path > after && fits(path)
  const ahead = new LookAhead({ reading, pattern }, { limit, wants }, outlines)
  const onFile: OnFile = (name, count) => {
    if (syntax === 'fixed') ahead.see(name, count)
  }
  const [counted, recoded] = await Promise.all([
    countLines(checkout, pattern, { path: query.path, ripgrep, onFile }),
    searchRecoded(reading, pattern, path => isWithin(path, query.path) && fits(path)),
  ])
  const matched =
    query.glob === undefined && recoded.paths.length === 0
      ? counted.matched
      : matchedFiles(counted, recoded, fits)
  const collected = new CollectedHits({ ...counted, matched, encoded: recoded.left }, query)
  for (let paths = collected.wanted(); paths.length > 0; paths = collected.wanted()) {
    collected.take(paths, await ahead.into(paths, { ...reading, counted }))
  }
  const answer = collected.answer()
  // One that lacks something for want of time is not worth keeping.
  return { answer, names: answer.symbols_missing ? undefined : counted.names }
}

/** What an engine says of a file that it cannot read does not count. */
function matchedFiles(
  { matched }: CountedLines,
  { matched: others, paths }: RecodedFiles,
  fits: (path: string) => boolean,
): CountedLines['matched'] {
  const all = [...matched].filter(([path]) => fits(path))
  if (paths.length === 0) return new Map(all)
  const recoded = new Set(paths)
  const found = [...all.filter(([path]) => !recoded.has(path)), ...others]
  return new Map(found.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** True for the file or directory itself and what is below it; '' holds all. */
export function isWithin(path: string, scope: string): boolean {
  return scope === '' || path === scope || path.startsWith(`${scope}/`)
}

/** Tells of a path whether it fits a glob; all fit where there is none. */
export function pathMatcher(glob: string | undefined): (path: string) => boolean {
  return glob === undefined ? () => true : globMatcher(glob, { maxSteps: fixedLimits.globSteps })
}

/** An answer as it grows, file by file, until the budget is spent. */
class CollectedHits {
  readonly #query: SearchQuery
  readonly #counted: CountedLines
  readonly #paths: readonly string[]
  readonly #perFile: number
  readonly #files: FileHits[] = []
  readonly #skipped = new Map<SkipReason, number>()
  #left: SearchBudget
  #hits: number
  #fileCount: number
  #looked = 0
  #isFull = false
  #symbolsMissing = false

  constructor(counted: CountedLines & { readonly encoded: number }, query: SearchQuery) {
    const { matched, unnamed, encoded } = counted
    const { after = '', limit, maxBytes } = query
    this.#query = query
    this.#counted = counted
    this.#paths = [...matched.keys()].filter(path => path > after)
    this.#perFile = fairShare(
      this.#paths.map(path => this.#countOf(path)),
      limit,
    )
    this.#left = { hits: limit, bytes: maxBytes - Math.min(notesBytes, maxBytes / 4) }
    this.#hits = sumOf([...matched.values()].map(({ count }) => count))
    this.#fileCount = matched.size
    if (unnamed > 0) this.#skipped.set('unnamed', unnamed)
    if (encoded > 0) this.#skipped.set('encoded', encoded)
  }

  /** The next files to read, no more than may be shown; none where the answer is full. */
  wanted(): readonly string[] {
    const end = Math.min(this.#looked + chunkFiles, fixedLimits.searchedFiles)
    if (this.#isFull) return []
    let hits = this.#left.hits
    return this.#paths.slice(this.#looked, end).filter(path => {
      const isWanted = hits >= 0
      hits -= Math.min(this.#countOf(path), this.#perFile)
      return isWanted
    })
  }

  /** Counts what was looked into, and shows of it what fits. */
  take(paths: readonly string[], looked: readonly LookedInto[]): void {
    this.#looked += paths.length
    for (const [at, { found }] of looked.entries()) {
      const count = typeof found === 'string' ? 0 : found.count
      this.#hits += count - this.#countOf(paths[at] ?? '')
      if (count === 0) this.#fileCount -= 1
      if (typeof found === 'string') this.#skipped.set(found, (this.#skipped.get(found) ?? 0) + 1)
    }
    this.#symbolsMissing ||= looked.some(({ outline }) => outline === late)
    for (const one of looked) if (!this.#show(one)) break
  }

  /** False where the answer is full. */
  #show({ found, outline }: LookedInto): boolean {
    if (typeof found === 'string' || found.count === 0) return true
    const most = Math.min(this.#perFile, this.#left.hits + 1)
    const hits = showHits(found.file, found.first(most), this.#query.context)
    const symbols = outline === late ? [] : (outline?.symbols ?? [])
    return this.#add(found, withSymbols(hits, symbols))
  }

  #add({ path, blob, count }: FoundFile, hits: readonly SearchHit[]): boolean {
    const file = { path, rev: blob.oid, hits }
    const fit = fitHits(file, this.#left, this.#files.length === 0)
    this.#isFull = fit.hits.length === 0
    if (this.#isFull) return false
    const more = count - fit.hits.length
    this.#left = fit.left
    this.#files.push({ ...file, hits: fit.hits, ...(more > 0 && { more_hits: more }) })
    return true
  }

  /** Lines of a file that fit, as far as is known before it is read. */
  #countOf(path: string): number {
    return this.#counted.matched.get(path)?.count ?? 0
  }

  answer(): SearchAnswer {
    const { pattern, mode } = this.#query
    const isRest = this.#isFull || this.#looked < this.#paths.length
    const isCut = this.#files.some(({ more_hits: more }) => more !== undefined)
    const next = this.#isFull ? this.#files.at(-1)?.path : this.#paths[this.#looked - 1]
    return {
      pattern,
      mode,
      engine: this.#counted.engine,
      files: this.#files,
      shown_hits: sumOf(this.#files.map(({ hits }) => hits.length)),
      total_hits: this.#hits,
      total_files: this.#fileCount,
      truncated: isRest || isCut,
      ...(isRest && next !== undefined && { next }),
      ...((isRest || isCut) && { go_on: goOn(isRest ? next : undefined, isCut) }),
      ...(this.#skipped.size > 0 && { skipped: Object.fromEntries(this.#skipped) }),
      ...(this.#symbolsMissing && { symbols_missing: true as const }),
    }
  }
}

/** How to get the rest of an answer. */
export function goOn(next: string | undefined, isCut: boolean): string {
  return [
    ...(next === undefined ? [] : [`go on with after=${next}`]),
    ...(isCut ? ['name one file by path to see more of it'] : []),
    'or narrow it by path, glob or a longer pattern',
  ].join(', ')
}

/** Lines of one file that may be shown: all where all fit, else as many as let every file say something. */
function fairShare(counts: readonly number[], limit: number): number {
  return sumOf(counts) <= limit
    ? Infinity
    : Math.max(leastPerFile, Math.floor(limit / counts.length))
}

function sumOf(numbers: Iterable<number>): number {
  let sum = 0
  for (const number of numbers) sum += number
  return sum
}
