import { fixedLimits } from '../../core/limits.js'
import type { IndexLayout } from '../../io/git/index-file.js'
import { settleIndex } from '../../io/git/settle-index.js'
import type { SearchAnswer } from '../../report/search-view.js'
import type { Checkout } from '../checkout/checkout.js'
import { Moment } from '../checkout/moment.js'
import { stampWorktree, type WorktreeStamp } from './stamp-worktree.js'
import { currentIndex } from './tracked-files.js'

/** What a search found, and every file that it found it in, shown or not. */
export interface Searched {
  readonly answer: SearchAnswer
  /** Bytes as latin1; undefined where not all files were looked into, and the answer is not kept. */
  readonly names: readonly string[] | undefined
}

interface Kept extends Searched {
  readonly names: readonly string[]
  readonly begun: Moment
  readonly head: string
  /** Milliseconds that it took to find. */
  readonly tookMs: number
  /** The stamp that the answer is known to belong to, from the first look on. */
  readonly key?: string
}

/** Milliseconds that a look for changes may take in any case, and times as long as the search that it spares. */
const quickLookMs = 300
const patience = 3
/** Milliseconds in which the time of an index does not yet tell it from the files that were written with it. */
const freshMs = 2_000
/** What is left of a slow look each time that there is none. */
const forgetfulness = 0.9

/**
 * Answers of a worktree that were given before. One is given again only after a look that shows that nothing it depends
 * on was changed since it was begun: every file that the index does not vouch for, the index and all directories are
 * older, or all are what they were when last looked at.
 */
export class KeptSearches {
  readonly #checkout: Checkout
  readonly #kept = new Map<string, Kept>()
  #repository: unknown
  /** Milliseconds that a look for changes took. */
  #lookMs = 0
  #settled: IndexLayout | undefined
  #settling: Promise<void> | undefined

  constructor(checkout: Checkout) {
    this.#checkout = checkout
    checkout.onStop(async () => this.#settling)
  }

  /** The kept answer where nothing has changed, else a new one. */
  async answer(
    question: string,
    search: () => Promise<Searched>,
  ): Promise<{ readonly answer: SearchAnswer; readonly cached: boolean }> {
    this.#forgetOtherSettings()
    const kept = this.#kept.get(question)
    if (kept !== undefined && this.#isWorthALook(kept)) {
      const stamp = await this.#look(kept)
      if (isCurrent(kept, stamp)) {
        this.#keep(question, { ...kept, key: stamp.key })
        return { answer: kept.answer, cached: true }
      }
      this.#kept.delete(question)
    }
    const begun = new Moment()
    const head = await this.#checkout.head()
    const startedMs = performance.now()
    const { answer, names } = await search()
    const tookMs = performance.now() - startedMs
    if (names !== undefined) this.#keep(question, { answer, names, begun, head, tookMs })
    return { answer, cached: false }
  }

  /** Git may have to read all files to see that none has changed: then a search is quicker. */
  #isWorthALook({ tookMs }: Kept): boolean {
    if (this.#lookMs <= Math.max(quickLookMs, patience * tookMs)) return true
    // It may be quicker by now: some time it is tried again.
    this.#lookMs *= forgetfulness
    return false
  }

  async #look({ names }: Kept): Promise<WorktreeStamp> {
    const startedMs = performance.now()
    const stamp = await stampWorktree(this.#checkout, names)
    this.#lookMs = performance.now() - startedMs
    if (this.#lookMs > quickLookMs) this.#settling ??= this.#settle()
    return stamp
  }

  /** Lets git write down which files it need not read again, once for an index. */
  async #settle(): Promise<void> {
    try {
      const index = currentIndex(this.#checkout)
      const isFresh = Date.now() - Number((index?.identity?.mtimeNs ?? 0n) / 1_000_000n) < freshMs
      if (index === undefined || index === this.#settled || isFresh) return
      await settleIndex(this.#checkout.place)
      this.#settled = currentIndex(this.#checkout)
      this.#lookMs = 0
    } catch {
      // It stays as slow as it is.
      this.#settled = currentIndex(this.#checkout)
    } finally {
      this.#settling = undefined
    }
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
  return stamp.head === kept.head && kept.begun.isAfter(stamp.newestMs)
}
