import { Worker } from 'node:worker_threads'
import { fixedLimits } from '../../core/limits.js'
import type { Answers, Batch, Progress } from './protocol.js'

/** What came of a batch. */
export interface BatchResult {
  /** As many as there are, in the batch's order. */
  readonly answers: Answers
  /** The source that ended the thread, and how; absent where all are answered. */
  readonly failure?: { readonly index: number; readonly problem: string }
}

interface Running {
  readonly size: number
  readonly answers: string[]
  /** What the counter said before. */
  readonly begunBefore: number
  readonly watch: NodeJS.Timeout
  readonly resolve: (result: BatchResult) => void
}

/** Looks at a source, each a quarter of its time, before it is given up. A look that comes late does not count twice. */
const looks = 4

/** One parsing thread, with at most one batch. It is over with the first failure. */
export class RunningThread {
  readonly #parseMs: number
  readonly #progress: Progress = new Int32Array(new SharedArrayBuffer(4))
  readonly #worker: Worker
  #running: Running | undefined
  #problem: string | undefined

  constructor(parseMs: number) {
    this.#parseMs = parseMs
    this.#worker = new Worker(new URL('./parser-thread.js', import.meta.url), {
      workerData: this.#progress,
      resourceLimits: { maxOldGenerationSizeMb: fixedLimits.parserMegabytes },
    })
    this.#worker.unref()
    this.#worker.on('message', (answers: Answers) => this.#take(answers))
    this.#worker.on('error', error => {
      this.#problem ??= error instanceof Error ? error.message : String(error)
    })
    this.#worker.on('exit', () => this.#fail())
  }

  /** Sends a batch; settles when it is answered or the thread is gone. */
  run(batch: Batch): Promise<BatchResult> {
    return new Promise(resolve => {
      const begunBefore = Atomics.load(this.#progress, 0)
      const size = batch.sources.length
      this.#running = { size, answers: [], begunBefore, watch: this.#startWatch(), resolve }
      this.#worker.postMessage(batch)
    })
  }

  /** Ends the thread, whatever it does. */
  async end(): Promise<void> {
    await this.#worker.terminate()
  }

  #startWatch(): NodeJS.Timeout {
    let begun = -1
    let still = 0
    // The timer also keeps the process alive for the answer; an idle thread does not.
    return setInterval(() => {
      const now = Atomics.load(this.#progress, 0)
      still = now === begun ? still + 1 : 0
      begun = now
      if (still < looks) return
      this.#problem ??= `one file took more than ${this.#parseMs} ms`
      void this.#worker.terminate()
    }, this.#parseMs / looks)
  }

  #take(answers: Answers): void {
    const running = this.#running
    if (running === undefined) return
    running.answers.push(...answers)
    if (running.answers.length < running.size) return
    this.#finish(running, {})
  }

  #fail(): void {
    const running = this.#running
    if (running === undefined) return
    const begun = Atomics.load(this.#progress, 0) - running.begunBefore
    // What the thread had read but not sent is not lost with it: it is only read again.
    const index = Math.max(begun - 1, running.answers.length)
    this.#finish(running, { failure: { index, problem: this.#problem ?? 'the thread ended' } })
  }

  #finish(running: Running, rest: Omit<BatchResult, 'answers'>): void {
    clearInterval(running.watch)
    this.#running = undefined
    running.resolve({ answers: running.answers, ...rest })
  }
}
