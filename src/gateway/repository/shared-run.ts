/**
 * Work that many may ask for at once, such as a listing: one run is under way and at most one waits. Whoever asks gets
 * a run that begins after it asked, so that it sees all that was done before.
 */
export class SharedRun<T> {
  readonly #work: () => Promise<T>
  #running: Promise<unknown> = Promise.resolve()
  #waiting: Promise<T> | undefined

  constructor(work: () => Promise<T>) {
    this.#work = work
  }

  run(): Promise<T> {
    this.#waiting ??= this.#begin()
    return this.#waiting
  }

  async #begin(): Promise<T> {
    await this.#running.catch(() => {})
    this.#waiting = undefined
    const run = this.#work()
    this.#running = run
    return run
  }
}
