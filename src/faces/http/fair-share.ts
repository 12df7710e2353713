import { Refusal } from '../../core/errors.js'
import type { Limits } from '../../core/limits.js'
import type { Caller } from '../../gateway/tokens.js'

interface Share {
  /** Requests that may still be sent now; refilled with time. */
  credit: number
  refilledMs: number
  inFlight: number
}

/** Keeps one token from crowding out the others: a rate with a burst, and a bound on what is in flight. */
export class FairShare {
  readonly #shares = new Map<string, Share>()
  readonly #limits: Limits
  readonly #nowMs: () => number

  constructor(limits: Limits, nowMs: () => number) {
    this.#limits = limits
    this.#nowMs = nowMs
  }

  /** Counts a request in, or refuses it with `RATE_LIMITED`; the answered function counts it out. */
  enter(caller: Caller): () => void {
    const share = this.#shareOf(caller.kind === 'server' ? '' : `${caller.id} ${caller.scope}`)
    if (share.credit < 1 || share.inFlight >= this.#limits.concurrentRequests) {
      throw new Refusal('RATE_LIMITED')
    }
    share.credit -= 1
    share.inFlight += 1
    return () => {
      share.inFlight -= 1
    }
  }

  #shareOf(key: string): Share {
    const { requestsPerSecond } = this.#limits
    const nowMs = this.#nowMs()
    const share = this.#shares.get(key) ?? { credit: Infinity, refilledMs: nowMs, inFlight: 0 }
    const earned = ((nowMs - share.refilledMs) / 1_000) * requestsPerSecond
    share.credit = Math.min(2 * requestsPerSecond, share.credit + earned)
    share.refilledMs = nowMs
    this.#shares.set(key, share)
    return share
  }
}
