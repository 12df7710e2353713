/** A change within so many milliseconds may have the same time as one before it. */
const tickMs = 20

/** A moment of which can be told later what was changed before it. */
export class Moment {
  readonly #ms = Date.now()
  /** What the clock of the day said more than one that is never set. */
  readonly #clockMs = clock()

  /** True where what was changed at a time, in milliseconds since 1970, was so before this moment; false where nobody can tell. */
  isAfter(changedMs: number): boolean {
    const isSteady = Math.abs(clock() - this.#clockMs) < tickMs / 2
    return isSteady && changedMs < this.#ms - tickMs
  }
}

function clock(): number {
  return Date.now() - performance.now()
}
