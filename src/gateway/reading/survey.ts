import { createHash } from 'node:crypto'
import { fixedLimits, type Limits } from '../../core/limits.js'
import { nearestPaths } from '../../core/nearest-paths.js'
import type { RepoPath } from '../../core/repo-path.js'
import { parentOf } from '../../io/files/standing-directories.js'
import { findRipgrep } from '../../io/git/ripgrep.js'
import type { MapAnswer } from '../../report/map-view.js'
import type { SameAnswer, SearchAnswer, Told } from '../../report/search-view.js'
import type { Checkout } from '../checkout/checkout.js'
import { settled } from '../landing/settled.js'
import { Queue } from '../repository/queue.js'
import { BranchChurn } from './churn.js'
import { KeptSearches, type Searched } from './kept-searches.js'
import { type MapQuery, mapWorktree } from './map-worktree.js'
import { OutlinesInTime } from './outlines-in-time.js'
import { searchDeclarations } from './search-declarations.js'
import { type SearchedNames, searchNamePattern } from './search-name-pattern.js'
import type { SymbolQuery } from './search-symbols.js'
import { isWithin, type SearchQuery, type SearchWays, searchLines } from './search-worktree.js'

/** What can be asked about all files of a worktree at once. */
export class Survey {
  readonly #checkout: Checkout
  readonly #ways: SearchWays
  /** A search takes every processor there is: two at a time would only take turns. */
  readonly #searches = new Queue()
  readonly #kept: KeptSearches
  readonly #churn: BranchChurn

  constructor(checkout: Checkout, limits: Limits) {
    this.#checkout = checkout
    this.#kept = new KeptSearches(checkout)
    this.#churn = new BranchChurn(checkout)
    const outlines = new OutlinesInTime(checkout.served.symbols)
    this.#ways = { limits, ripgrep: findRipgrep(), outlines }
  }

  /** The lines or declarations that fit, by file. `known` is the `result` of an answer that the caller still has. */
  async search(query: SearchQuery, known?: string): Promise<(SearchAnswer | SameAnswer) & Told> {
    const { answer, cached } = await settled(this.#checkout, () =>
      this.#searches.run(() => this.#kept.answer(JSON.stringify(query), () => this.#look(query))),
    )
    const { pattern, mode } = query
    const told = { result: nameOf(answer), ...(cached && { cached: true as const }) }
    return told.result === known ? { pattern, mode, same: true, ...told } : { ...answer, ...told }
  }

  /** The symbols whose names fit a pattern. Refuses as `searchNamePattern`. */
  namesLike(query: SymbolQuery): Promise<SearchedNames> {
    return settled(this.#checkout, () => searchNamePattern(this.#checkout, query, this.#ways))
  }

  /** The files by what is worked on or by what others import. */
  map(query: MapQuery): Promise<MapAnswer> {
    const { limits } = this.#ways
    return settled(this.#checkout, () =>
      mapWorktree(this.#checkout, query, { limits, churn: this.#churn }),
    )
  }

  /** The paths of files that are most like one that is not there. */
  async nearestPaths(path: RepoPath): Promise<readonly string[]> {
    const { files } = await this.#checkout.listing.run()
    return nearestPaths(path, files, fixedLimits.nearestPaths)
  }

  async #look(query: SearchQuery): Promise<Searched> {
    const look = query.mode === 'symbols' ? searchDeclarations : searchLines
    const found = await look(this.#checkout, query, this.#ways)
    const { path } = query
    if (path === '' || found.answer.total_hits > 0) return found
    const { files } = await this.#checkout.listing.run()
    if (files.some(one => isWithin(one, path))) return found
    return { ...found, answer: { ...found.answer, go_on: nothingThere(path, files) } }
  }
}

/** Who is told only that nothing was found takes a misspelt path for a search without a hit. */
function nothingThere(path: string, files: readonly string[]): string {
  const places = new Set(files.flatMap(file => [file, parentOf(file)]))
  const nearest = nearestPaths(path, [...places], fixedLimits.nearestPaths)
  const others = nearest.length === 0 ? 'search without path' : `there is ${nearest.join(', ')}`
  return `git lists no file at or below ${path}: ${others}`
}

function nameOf(answer: SearchAnswer): string {
  return createHash('sha256').update(JSON.stringify(answer)).digest('hex').slice(0, 12)
}
