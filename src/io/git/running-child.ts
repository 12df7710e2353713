import { type ChildProcess, spawn } from 'node:child_process'
import { performance } from 'node:perf_hooks'
import { Refusal } from '../../core/errors.js'
import { fixedLimits } from '../../core/limits.js'

/** How to start a child. */
export interface ChildOptions {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  /** Questions that are asked in one turn are sent together at its end, instead of each at once. */
  readonly gathers?: boolean
}

/** What a reader says of the bytes so far: the answer and how many bytes it took, or how many it needs at least. */
export type Reading<T> = { readonly value: T; readonly used: number } | { readonly need: number }

/** Looks for one whole answer at the beginning of what was received; what follows belongs to the next one. */
export type AnswerReader<T> = (received: Buffer) => Reading<T>

/** The child ended, or could not be started, before it had answered. */
export class CoprocessEnded extends Error {
  readonly exitCode: number | null
  readonly stderr: string

  constructor(command: string, exitCode: number | null, stderr: string) {
    super(`${command} ended with ${exitCode}: ${stderr.slice(0, 500)}`)
    this.name = 'CoprocessEnded'
    this.exitCode = exitCode
    this.stderr = stderr
  }
}

interface Question {
  readonly deliver: (received: Buffer) => { readonly used: number } | { readonly need: number }
  readonly fail: (error: Error) => void
}

const empty = Buffer.alloc(0)
const stderrBytes = 16 * 1024
const killAfterMs = 2_000

/** One process of a coprocess, with the questions it still owes. An answer later than the deadline or larger than the cap ends it. */
export class RunningChild {
  readonly #name: string
  /** Without streams where this process had too many files open to start it. */
  readonly #process: ChildProcess
  readonly #onEnd: () => void
  readonly #gathers: boolean
  readonly #startedAt = performance.now()
  readonly #questions: Question[] = []
  readonly #closed: Promise<void>
  /** What was received and not yet taken: the first `#size` bytes. */
  #buffer: Buffer = empty
  #size = 0
  #need = 1
  #stderr = ''
  #deadline: NodeJS.Timeout | undefined
  #killer: NodeJS.Timeout | undefined
  #lost = false

  constructor(options: ChildOptions, onEnd: () => void) {
    const { command, args, env, cwd } = options
    this.#name = [command, ...args].join(' ')
    this.#onEnd = onEnd
    this.#gathers = options.gathers ?? false
    // In a session of its own: who kills our process group leaves it to see its input end, and to remove its locks.
    const stdio = ['pipe', 'pipe', 'pipe'] as const
    this.#process = spawn(command, args, { env, cwd, stdio: [...stdio], detached: true })
    this.#closed = new Promise(resolve => this.#listen(resolve))
  }

  get ageMs(): number {
    return performance.now() - this.#startedAt
  }

  ask<T>(question: string | Uint8Array, read: AnswerReader<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const deliver: Question['deliver'] = received => {
        const reading = read(received)
        if ('value' in reading) resolve(reading.value)
        return reading
      }
      this.#questions.push({ deliver, fail: reject })
      if (this.#questions.length === 1) this.#armDeadline()
      this.#write(question)
    })
  }

  #write(question: string | Uint8Array): void {
    const { stdin } = this.#process
    if (stdin === null) return
    if (this.#gathers && stdin.writableCorked === 0) {
      stdin.cork()
      queueMicrotask(() => stdin.uncork())
    }
    stdin.write(question)
  }

  /** No more questions: the child answers what it owes and ends by itself. */
  endInput(): void {
    this.#process.stdin?.end()
  }

  /** Ends the child and settles when it is gone. */
  async end(): Promise<void> {
    this.#kill()
    await this.#closed
  }

  #listen(closed: () => void): void {
    const child = this.#process
    child.stdout?.on('data', (chunk: Buffer) => this.#receive(chunk))
    child.stderr?.on('data', (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString('utf8')).slice(-stderrBytes)
    })
    child.stdin?.on('error', () => {})
    child.on('error', error => {
      this.#stderr ||= error.message
      this.#lose(null)
      closed()
    })
    child.on('close', code => {
      clearTimeout(this.#killer)
      this.#lose(code)
      closed()
    })
  }

  #receive(chunk: Buffer): void {
    this.#append(chunk)
    if (this.#size > fixedLimits.gitOutputBytes) {
      this.#giveUp(new Refusal('TOO_LARGE', { limit: fixedLimits.gitOutputBytes }))
    } else if (this.#size >= this.#need) this.#deliver()
  }

  /** The room doubles, so that the many chunks of a large answer are copied a few times and not once each. */
  #append(chunk: Buffer): void {
    const size = this.#size + chunk.length
    if (this.#size === 0) this.#buffer = chunk
    else {
      if (size > this.#buffer.length) {
        const larger = Buffer.allocUnsafe(Math.max(size, 2 * this.#buffer.length))
        this.#buffer.copy(larger, 0, 0, this.#size)
        this.#buffer = larger
      }
      chunk.copy(this.#buffer, this.#size)
    }
    this.#size = size
  }

  #deliver(): void {
    let received = this.#buffer.subarray(0, this.#size)
    this.#need = 1
    for (let question = this.#questions[0]; question !== undefined; question = this.#questions[0]) {
      if (received.length === 0) break
      const reading = question.deliver(received)
      if ('need' in reading) {
        this.#need = Math.max(reading.need, received.length + 1)
        break
      }
      received = received.subarray(reading.used)
      this.#questions.shift()
      this.#armDeadline()
    }
    if (received.length === this.#size) return
    // An answer may be a part of the buffer, so its bytes are never written over.
    this.#buffer = Buffer.from(received)
    this.#size = received.length
  }

  #armDeadline(): void {
    clearTimeout(this.#deadline)
    if (this.#questions.length === 0) return
    const limitMs = fixedLimits.answerMs
    const late = (): void => this.#giveUp(new Refusal('TIMEOUT', { limit_ms: limitMs }))
    this.#deadline = setTimeout(late, limitMs)
  }

  #giveUp(why: Refusal): void {
    this.#questions.shift()?.fail(why)
    this.#kill()
    this.#lose(null)
  }

  #kill(): void {
    this.#process.stdin?.end()
    this.#process.kill('SIGTERM')
    this.#killer ??= setTimeout(() => this.#process.kill('SIGKILL'), killAfterMs)
  }

  #lose(code: number | null): void {
    if (this.#lost) return
    this.#lost = true
    clearTimeout(this.#deadline)
    this.#buffer = empty
    this.#size = 0
    const error = new CoprocessEnded(this.#name, code, this.#stderr)
    for (const question of this.#questions.splice(0)) question.fail(error)
    this.#onEnd()
  }
}
