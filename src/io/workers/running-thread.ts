import { cpuUsage } from 'node:process'
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

/** Looks at the thread in the time that one source has. */
const looksPerSource = 4

/** Times its own time that a source may take where the machine gives us no processor. */
const patience = 10

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
      resourceLimits: {
        maxOldGenerationSizeMb: fixedLimits.parserMegabytes,
        maxYoungGenerationSizeMb: fixedLimits.parserYoungMegabytes,
      },
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
      const watch = this.#watch(begunBefore)
      this.#running = { size, answers: [], begunBefore, watch, resolve }
      this.#worker.postMessage(batch)
    })
  }

  /** Ends the thread, whatever it does. */
  async end(): Promise<void> {
    await this.#worker.terminate()
  }

  /**
   * Ends the thread when one source has had its time. What counts is what this process spent, for on
   * a crowded machine time passes without us; where the main thread works as well it comes sooner.
   */
  #watch(begunBefore: number): NodeJS.Timeout {
    let begun = begunBefore
    let since = cpuMs()
    let looks = 0
    // The timer also keeps the process alive for the answer; an idle thread does not.
    return setInterval(() => {
      const now = Atomics.load(this.#progress, 0)
      if (now !== begun) [begun, since, looks] = [now, cpuMs(), 0]
      else looks += 1
      const limitMs = begun === begunBefore ? fixedLimits.parserStartMs : this.#parseMs
      const isLong = cpuMs() - since >= limitMs || looks * this.#lookMs >= patience * limitMs
      if (isLong) this.#giveUp(`one file took more than ${limitMs} ms`)
    }, this.#lookMs)
  }

  get #lookMs(): number {
    return this.#parseMs / looksPerSource
  }

  #giveUp(problem: string): void {
    this.#problem ??= problem
    void this.#worker.terminate()
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

/** What this process has spent, its threads included. */
function cpuMs(): number {
  const { user, system } = cpuUsage()
  return (user + system) / 1_000
}
