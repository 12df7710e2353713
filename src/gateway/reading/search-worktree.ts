import { globMatcher } from '../../core/glob.js'
import { fixedLimits, type Limits } from '../../core/limits.js'
import type { LinePattern } from '../../io/git/count-matches.js'
import { fitHits, type SearchBudget } from '../../report/fit-hits.js'
import { showHits, withSymbols } from '../../report/search-hits.js'
import type { FileHits, SearchAnswer, SearchHit, SearchMode } from '../../report/search-view.js'
import type { Checkout } from '../checkout/checkout.js'
import { currentTree } from '../landing/apply-change.js'
import { type CountedLines, countLines } from './count-lines.js'
import type { Searched } from './kept-searches.js'
import { late, type OutlinesInTime } from './outlines-in-time.js'
import { type FoundFile, readHits, type SkipReason } from './read-hits.js'

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
  const counted = await countLines(checkout, pattern, { path: query.path, ripgrep })
  const counts = new Map([...counted.counts].filter(([path]) => fits(path)))
  const collected = new CollectedHits({ ...counted, counts }, query)
  const tree = await currentTree(checkout, limits)
  for (let paths = collected.wanted(); paths.length > 0; paths = collected.wanted()) {
    const read = await readHits({ checkout, tree, ripgrep }, pattern, paths)
    const found = collected.take(paths, read)
    collected.show(found, await outlines.of(found))
  }
  const answer = collected.answer()
  // One that lacks something for want of time is not worth keeping.
  return { answer, names: answer.symbols_missing ? undefined : counted.names }
}

/** Tells of a path whether it fits a glob; all fit where there is none. */
export function pathMatcher(glob: string | undefined): (path: string) => boolean {
  return glob === undefined ? () => true : globMatcher(glob, { maxSteps: fixedLimits.globSteps })
}

type Outlines = Awaited<ReturnType<OutlinesInTime['of']>>

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

  constructor(counted: CountedLines, query: SearchQuery) {
    const { counts, unnamed } = counted
    const { after = '', limit, maxBytes } = query
    this.#query = query
    this.#counted = counted
    this.#paths = [...counts.keys()].filter(path => path > after)
    this.#perFile = fairShare(counts, this.#paths, limit)
    this.#left = { hits: limit, bytes: maxBytes - Math.min(notesBytes, maxBytes / 4) }
    this.#hits = sumOf(counts.values())
    this.#fileCount = counts.size
    if (unnamed > 0) this.#skipped.set('unnamed', unnamed)
  }

  /** The next files to read, no more than may be shown; none where the answer is full. */
  wanted(): readonly string[] {
    const end = Math.min(this.#looked + chunkFiles, fixedLimits.searchedFiles)
    if (this.#isFull) return []
    let hits = this.#left.hits
    return this.#paths.slice(this.#looked, end).filter(path => {
      const isWanted = hits >= 0
      hits -= Math.min(this.#counted.counts.get(path) ?? 0, this.#perFile)
      return isWanted
    })
  }

  /** Counts what was read, and answers the files to show. */
  take(paths: readonly string[], read: readonly (FoundFile | SkipReason)[]): readonly FoundFile[] {
    this.#looked += paths.length
    return read.flatMap((one, at) => {
      const found = typeof one === 'string' ? 0 : one.places.length
      this.#hits += found - (this.#counted.counts.get(paths[at] ?? '') ?? 0)
      if (found === 0) this.#fileCount -= 1
      if (typeof one === 'string') this.#skipped.set(one, (this.#skipped.get(one) ?? 0) + 1)
      return typeof one === 'string' || found === 0 ? [] : [one]
    })
  }

  show(found: readonly FoundFile[], outlines: Outlines): void {
    this.#symbolsMissing ||= outlines.includes(late)
    for (const [at, one] of found.entries()) {
      const hits = showHits(one.file, one.places.slice(0, this.#perFile), this.#query.context)
      const outline = outlines[at]
      const symbols = outline === late ? [] : (outline?.symbols ?? [])
      if (!this.#add(one, withSymbols(hits, symbols))) break
    }
  }

  #add({ path, blob, places }: FoundFile, hits: readonly SearchHit[]): boolean {
    const file = { path, rev: blob.oid, hits }
    const fit = fitHits(file, this.#left, this.#files.length === 0)
    this.#isFull = fit.hits.length === 0
    if (this.#isFull) return false
    const more = places.length - fit.hits.length
    this.#left = fit.left
    this.#files.push({ ...file, hits: fit.hits, ...(more > 0 && { more_hits: more }) })
    return true
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

function goOn(next: string | undefined, isCut: boolean): string {
  return [
    ...(next === undefined ? [] : [`go on with after=${next}`]),
    ...(isCut ? ['name one file by path to see more of it'] : []),
    'or narrow it by path, glob or a longer pattern',
  ].join(', ')
}

/** Lines of one file that may be shown: all where all fit, else as many as let every file say something. */
function fairShare(
  counts: ReadonlyMap<string, number>,
  paths: readonly string[],
  limit: number,
): number {
  const total = sumOf(paths.map(path => counts.get(path) ?? 0))
  return total <= limit ? Infinity : Math.max(3, Math.floor(limit / paths.length))
}

function sumOf(numbers: Iterable<number>): number {
  let sum = 0
  for (const number of numbers) sum += number
  return sum
}
