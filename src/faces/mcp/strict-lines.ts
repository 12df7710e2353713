import { Transform, type TransformCallback, type Writable } from 'node:stream'
import { Refusal } from '../../core/errors.js'
import { parseStrictJson } from '../../core/strict-json.js'

/** What is done with lines that are refused. */
export interface StrictLinesOptions {
  /** Where the client reads. */
  readonly answer: Writable
  /** Bytes of a line; a longer one goes through as it comes, to whoever bounds it. */
  readonly lineBytes: number
  onRefused(problem: string): void
}

/**
 * Lets messages through line by line, but none that two readers of JSON may read as two: with a key twice, with
 * `__proto__`, nested beyond measure. Such a one is answered here, in the form of JSON-RPC, and goes no further. What is
 * no JSON object at all goes through, for the protocol to refuse.
 */
export class StrictLines extends Transform {
  readonly #options: StrictLinesOptions
  #waiting: Uint8Array[] = []
  #waitingBytes = 0

  constructor(options: StrictLinesOptions) {
    super()
    this.#options = options
  }

  override _transform(chunk: Uint8Array, _encoding: string, done: TransformCallback): void {
    let from = 0
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, from)) {
      this.#wait(chunk.subarray(from, end + 1))
      this.#takeLine(this.#takeWaiting())
      from = end + 1
    }
    this.#wait(chunk.subarray(from))
    if (this.#waitingBytes > this.#options.lineBytes) this.push(this.#takeWaiting())
    done()
  }

  override _flush(done: TransformCallback): void {
    this.push(this.#takeWaiting())
    done()
  }

  #wait(part: Uint8Array): void {
    if (part.length === 0) return
    this.#waiting.push(part)
    this.#waitingBytes += part.length
  }

  #takeWaiting(): Buffer {
    const whole = Buffer.concat(this.#waiting)
    this.#waiting = []
    this.#waitingBytes = 0
    return whole
  }

  #takeLine(line: Buffer): void {
    const problem = problemOf(line)
    if (problem === undefined) {
      this.push(line)
      return
    }
    const { answer, onRefused } = this.#options
    onRefused(problem.message)
    if (problem.id === undefined) return
    const error = { code: invalidRequest, message: problem.message }
    answer.write(`${JSON.stringify({ jsonrpc: '2.0', id: problem.id, error })}\n`)
  }
}

const newline = 10
const invalidRequest = -32600

interface Problem {
  readonly message: string
  /** Whom to answer; undefined for a notification, which nobody waits for. */
  readonly id: string | number | undefined
}

/** Undefined for a message that may pass. */
function problemOf(line: Buffer): Problem | undefined {
  try {
    parseStrictJson(line)
    return undefined
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const id = idOf(line)
    const { problem } = error.data
    return id === undefined ? undefined : { message: String(problem ?? error.message), id: id.id }
  }
}

/** The id of a JSON object, as one reader reads it; undefined for what is no object. */
function idOf(line: Buffer): { readonly id: string | number | undefined } | undefined {
  let value: unknown
  try {
    value = JSON.parse(line.toString('utf8'))
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const id = 'id' in value ? value.id : undefined
  return { id: typeof id === 'string' || typeof id === 'number' ? id : undefined }
}
