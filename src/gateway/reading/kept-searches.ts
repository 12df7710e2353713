import { fixedLimits } from '../../core/limits.js'
import type { SearchAnswer } from '../../report/search-view.js'
import type { Checkout } from '../checkout/checkout.js'
import { stampWorktree, type WorktreeStamp } from './stamp-worktree.js'

/** What a search found, and every file that it found it in, shown or not. */
export interface Searched {
  readonly answer: SearchAnswer
  /** Bytes as latin1; undefined where not all files were looked into, and the answer is not kept. */
  readonly names: readonly string[] | undefined
}

interface Kept extends Searched {
  readonly names: readonly string[]
  readonly startedMs: number
  /** What the clock of the day said more than one that is never set. */
  readonly clockMs: number
  readonly head: string
  /** The stamp that the answer is known to belong to, from the first look on. */
  readonly key?: string
}

/** A change within so many milliseconds may have the same time as one before it. */
const tickMs = 20

/**
 * Answers of a worktree that were given before. One is given again only after a look that shows that nothing it depends
 * on was changed since it was begun: every file that the index does not vouch for, the index and all directories are
 * older, or all are what they were when last looked at.
 */
export class KeptSearches {
  readonly #checkout: Checkout
  readonly #kept = new Map<string, Kept>()
  #repository: unknown

  constructor(checkout: Checkout) {
    this.#checkout = checkout
  }

  /** The kept answer where nothing has changed, else a new one. */
  async answer(
    question: string,
    search: () => Promise<Searched>,
  ): Promise<{ readonly answer: SearchAnswer; readonly cached: boolean }> {
    this.#forgetOtherSettings()
    const kept = this.#kept.get(question)
    if (kept !== undefined) {
      const stamp = await stampWorktree(this.#checkout, kept.names)
      if (isCurrent(kept, stamp)) {
        this.#keep(question, { ...kept, key: stamp.key })
        return { answer: kept.answer, cached: true }
      }
      this.#kept.delete(question)
    }
    const begun = { startedMs: Date.now(), clockMs: clock(), head: await this.#checkout.head() }
    const searched = await search()
    const { answer, names } = searched
    if (names !== undefined) this.#keep(question, { answer, names, ...begun })
    return { answer, cached: false }
  }

  /** Where the user's own settings count, they may change unseen. */
  #keep(question: string, kept: Kept): void {
    if (this.#checkout.trusted || kept.names.length > fixedLimits.keptSearchFiles) return
    this.#kept.delete(question)
    this.#kept.set(question, kept)
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > fixedLimits.keptSearches && oldest !== undefined)
      this.#kept.delete(oldest)
  }

  #forgetOtherSettings(): void {
    const { repository } = this.#checkout.served
    if (repository !== this.#repository) this.#kept.clear()
    this.#repository = repository
  }
}

function isCurrent(kept: Kept, stamp: WorktreeStamp): boolean {
  if (kept.key !== undefined && kept.key === stamp.key) return true
  const isSteady = Math.abs(clock() - kept.clockMs) < tickMs / 2
  return isSteady && stamp.head === kept.head && stamp.newestMs < kept.startedMs - tickMs
}

function clock(): number {
  return Date.now() - performance.now()
}
