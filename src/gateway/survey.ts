import { createHash } from 'node:crypto'
import type { Limits } from '../core/limits.js'
import type { SameAnswer, SearchAnswer, Told } from '../report/search-view.js'
import type { Checkout } from './checkout.js'
import { Queue } from './queue.js'
import { searchDeclarations } from './search-declarations.js'
import { type SearchQuery, searchLines } from './search-worktree.js'
import { settled } from './settled.js'

/** What can be asked about all files of a worktree at once. */
export class Survey {
  readonly #checkout: Checkout
  readonly #limits: Limits
  /** A search takes every processor there is: two at a time would only take turns. */
  readonly #searches = new Queue()

  constructor(checkout: Checkout, limits: Limits) {
    this.#checkout = checkout
    this.#limits = limits
  }

  /** The lines or declarations that fit, by file. `known` is the `result` of an answer that the caller still has. */
  async search(query: SearchQuery, known?: string): Promise<(SearchAnswer | SameAnswer) & Told> {
    const answer = await settled(this.#checkout, () => this.#searches.run(() => this.#look(query)))
    const { pattern, mode } = query
    const result = nameOf(answer)
    return result === known ? { pattern, mode, same: true, result } : { ...answer, result }
  }

  #look(query: SearchQuery): Promise<SearchAnswer> {
    const look = query.mode === 'symbols' ? searchDeclarations : searchLines
    return look(this.#checkout, query, this.#limits)
  }
}

function nameOf(answer: SearchAnswer): string {
  return createHash('sha256').update(JSON.stringify(answer)).digest('hex').slice(0, 12)
}
