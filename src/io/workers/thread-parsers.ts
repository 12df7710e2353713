import { Refusal } from '../../core/errors.js'
import { fixedLimits } from '../../core/limits.js'
import type { PackedOutline, Parsers, ParsingWays, Source } from '../../core/parsers.js'
import { packOutline } from '../../formats/code/pack-outline.js'
import { emptyOutline } from '../../formats/code/read-outline.js'
import type { Tier } from './protocol.js'
import { type BatchResult, RunningThread } from './running-thread.js'

/** One source of a question, on its way. */
interface Task {
  readonly index: number
  readonly source: Source
  readonly tier: Tier
}

interface Question {
  readonly isBackground: boolean
  /** Not sent yet; the next one stands last. */
  readonly waiting: Task[]
  readonly answers: PackedOutline[]
  missing: number
  readonly resolve: (answers: readonly PackedOutline[]) => void
  readonly reject: (error: Error) => void
}

/** How the thread fares. */
export interface ParserHealth {
  /** Times it was ended by a file that took too much, and started anew. */
  readonly restarts: number
  /** Why the last time. */
  readonly lastProblem: string | undefined
  readonly waitingSources: number
}

/**
 * Parses in one thread, which starts with the first question. A file that keeps it too long, or takes
 * its memory, ends it: that file is then read by lines, the others by a new thread. Short questions go
 * before long ones, and those of the background last, so that an edit does not wait for an index.
 */
export class ThreadParsers implements Parsers {
  readonly #parseMs: number
  #questions: readonly Question[] = []
  #waitingSources = 0
  #waitingChars = 0
  #thread: RunningThread | undefined
  #isBusy = false
  #isClosed = false
  #restarts = 0
  #lastProblem: string | undefined

  constructor(parseMs: number = fixedLimits.parseMs) {
    this.#parseMs = parseMs
  }

  get health(): ParserHealth {
    const [restarts, lastProblem] = [this.#restarts, this.#lastProblem]
    return { restarts, lastProblem, waitingSources: this.#waitingSources }
  }

  outline(
    sources: readonly Source[],
    { isBackground }: ParsingWays = { isBackground: false },
  ): Promise<readonly PackedOutline[]> {
    if (sources.length === 0) return Promise.resolve([])
    return new Promise((resolve, reject) => {
      if (this.#isClosed) throw this.#closed()
      this.#admit(sources)
      const waiting = sources.map((source, index): Task => ({ index, source, tier: 'parser' }))
      const missing = sources.length
      const reversed = waiting.toReversed()
      const question = { isBackground, waiting: reversed, answers: [], missing, resolve, reject }
      this.#questions = [...this.#questions, question]
      void this.#work()
    })
  }

  /** Ends the thread; what is still asked is refused. */
  async close(): Promise<void> {
    this.#isClosed = true
    const thread = this.#thread
    this.#thread = undefined
    const refused = this.#questions
    this.#questions = []
    for (const { reject } of refused) reject(this.#closed())
    await thread?.end()
  }

  #closed(): Refusal {
    return new Refusal('TIMEOUT', { limit_ms: this.#parseMs })
  }

  /** Refuses what would hold too much memory while it waits. */
  #admit(sources: readonly Source[]): void {
    const chars = this.#waitingChars + countChars(sources)
    const count = this.#waitingSources + sources.length
    const { waitingChars, waitingSources } = fixedLimits
    if (chars > waitingChars || count > waitingSources) {
      // Alone it will never go through; behind others it will.
      const code = this.#waitingSources === 0 ? 'TOO_LARGE' : 'RATE_LIMITED'
      throw new Refusal(code, {
        what: 'texts for the parsers',
        limit: waitingSources,
        actual: count,
      })
    }
    this.#waitingChars = chars
    this.#waitingSources = count
  }

  async #work(): Promise<void> {
    if (this.#isBusy) return
    this.#isBusy = true
    try {
      for (let next = this.#shortest(); next !== undefined; next = this.#shortest()) {
        await this.#ask(next)
      }
    } finally {
      this.#isBusy = false
    }
  }

  #shortest(): Question | undefined {
    const pressing = this.#questions.filter(({ isBackground }) => !isBackground)
    const asked = pressing.length > 0 ? pressing : this.#questions
    const lengths = asked.map(({ missing }) => missing)
    return asked[lengths.indexOf(Math.min(...lengths))]
  }

  async #ask(question: Question): Promise<void> {
    const tasks = takeBatch(question.waiting)
    const tier = tasks[0]?.tier ?? 'parser'
    this.#thread ??= new RunningThread(this.#parseMs)
    const result = await this.#thread.run({ tier, sources: tasks.map(({ source }) => source) })
    if (this.#isClosed) return
    this.#keep(question, tasks, result)
    if (question.missing > 0) return
    this.#questions = this.#questions.filter(other => other !== question)
    question.resolve(question.answers)
  }

  #keep(question: Question, tasks: readonly Task[], { answers, failure }: BatchResult): void {
    for (const [at, answer] of answers.entries()) {
      this.#answer(question, tasks[at], answer as PackedOutline)
    }
    if (failure === undefined) return
    this.#thread = undefined
    this.#restarts += 1
    this.#lastProblem = failure.problem
    const unanswered = tasks.slice(answers.length)
    const culprit = tasks[failure.index]
    for (const task of unanswered.toReversed()) {
      if (task !== culprit) question.waiting.push(task)
      else if (task.tier === 'parser') question.waiting.push({ ...task, tier: 'lines' })
      else this.#answer(question, task, packOutline(emptyOutline('', 'too_complex')))
    }
  }

  #answer(question: Question, task: Task | undefined, answer: PackedOutline): void {
    if (task === undefined) return
    question.answers[task.index] = answer
    question.missing -= 1
    this.#waitingSources -= 1
    this.#waitingChars -= task.source.text.length
  }
}

/** The next tasks of one tier, as many as go together. */
function takeBatch(waiting: Task[]): readonly Task[] {
  const batch: Task[] = []
  let chars = 0
  for (let task = waiting.at(-1); task !== undefined; task = waiting.at(-1)) {
    chars += task.source.text.length
    const isFull = batch.length >= fixedLimits.parsedBatch || chars > fixedLimits.parsedChars
    if (batch.length > 0 && (isFull || task.tier !== batch[0]?.tier)) break
    batch.push(task)
    waiting.pop()
  }
  return batch
}

function countChars(sources: readonly Source[]): number {
  return sources.reduce((sum, { text }) => sum + text.length, 0)
}
