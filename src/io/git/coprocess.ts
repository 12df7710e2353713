import { type AnswerReader, type ChildOptions, RunningChild } from './running-child.js'

export interface CoprocessOptions extends ChildOptions {
  /** What a child has read when it starts and keeps: one that was started on another version is stale. */
  readonly version?: () => string
}

/**
 * A program that answers one question after another on its pipes. It is started when first asked and started anew
 * after it ended.
 */
export class Coprocess {
  readonly #options: CoprocessOptions
  readonly #children = new Set<RunningChild>()
  #current: RunningChild | undefined
  #version: string | undefined

  constructor(options: CoprocessOptions) {
    this.#options = options
  }

  /** Milliseconds since the running child was started; 0 when none runs. */
  get ageMs(): number {
    return this.#current?.ageMs ?? 0
  }

  /** True where the running child may not know what is so by now. */
  get isStale(): boolean {
    return this.#current !== undefined && this.#options.version?.() !== this.#version
  }

  /**
   * Sends a question and answers what the reader makes of the reply; several may be under way, they are answered in
   * order. Throws `CoprocessEnded`, or refuses with `TIMEOUT` or `TOO_LARGE`.
   */
  ask<T>(question: string | Uint8Array, read: AnswerReader<T>): Promise<T> {
    const child = this.#current ?? this.#start()
    return child.ask(question, read)
  }

  /** The next question goes to a new child; the one that runs answers what it owes and ends. */
  renew(): void {
    this.#current?.endInput()
    this.#current = undefined
  }

  /** Ends every child: its input is closed, then SIGTERM. What it still owes is refused. */
  async stop(): Promise<void> {
    this.#current = undefined
    await Promise.all([...this.#children].map(child => child.end()))
  }

  #start(): RunningChild {
    this.#version = this.#options.version?.()
    const child = new RunningChild(this.#options, () => {
      this.#children.delete(child)
      if (this.#current === child) this.#current = undefined
    })
    this.#children.add(child)
    this.#current = child
    return child
  }
}
