import { Refusal } from '../../core/errors.js'
import { fixedLimits } from '../../core/limits.js'

/** Lets others have a turn. */
export type Pause = () => Promise<void>

/** How much text the ops of one batch have looked through, and may. */
export class SearchBudget {
  readonly #limit: number
  readonly #pause: Pause | undefined
  #spent = 0
  #paused = 0

  constructor(limit: number, pause: Pause | undefined) {
    this.#limit = limit
    this.#pause = pause
  }

  spend(chars: number): void {
    this.#spent += chars
  }

  /** To be asked before the next op: refuses with `TOO_LARGE` where nothing is left, and pauses now and then. */
  async next(): Promise<void> {
    if (this.#spent > this.#limit) {
      throw new Refusal('TOO_LARGE', { what: 'text to look through', limit: this.#limit })
    }
    if (this.#spent - this.#paused < fixedLimits.turnChars) return
    this.#paused = this.#spent
    await this.#pause?.()
  }
}
