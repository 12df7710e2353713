/** Runs one piece of work after another; a failure does not hold up the next. */
export class Queue {
  #last: Promise<unknown> = Promise.resolve()

  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work, work)
    this.#last = result.catch(() => {})
    return result
  }

  /** Settles when all that was queued so far is done. */
  async idle(): Promise<void> {
    await this.#last
  }
}
