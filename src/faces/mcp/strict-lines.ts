import { Transform, type TransformCallback, type Writable } from 'node:stream'
import { parseJSONRPCMessage } from '@modelcontextprotocol/server'
import { Refusal } from '../../core/errors.js'
import { parseStrictJson } from '../../core/strict-json.js'
import { idInEnds, type RefusedIds, refusedIds } from './message-ids.js'

/** What is done with lines that are refused. */
export interface StrictLinesOptions {
  /** Where the client reads. */
  readonly answer: Writable
  /** Bytes of a line with its end; a longer one is refused. */
  readonly lineBytes: number
  onRefused(problem: string): void
}

/**
 * Lets messages through line by line, but none that two readers of JSON may read as two (with a key twice, with
 * `__proto__`, nested beyond measure), none that is too long, and none that the protocol would drop without a word. Such a
 * one is answered here, in the form of JSON-RPC, and goes no further; in the place of a client's answer goes an error, so that
 * nobody waits for what will not come. What is no JSON at all goes through, for the protocol to pass over.
 */
export class StrictLines extends Transform {
  readonly #options: StrictLinesOptions
  #waiting: Uint8Array[] = []
  #waitingBytes = 0
  /** How a line begins that is too long. */
  #head: Buffer | undefined

  constructor(options: StrictLinesOptions) {
    super()
    this.#options = options
  }

  override _transform(chunk: Uint8Array, _encoding: string, done: TransformCallback): void {
    let from = 0
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, from)) {
      this.#wait(chunk.subarray(from, end + 1))
      this.#takeLine()
      from = end + 1
    }
    this.#wait(chunk.subarray(from))
    done()
  }

  override _flush(done: TransformCallback): void {
    if (this.#head !== undefined) this.#takeLine()
    else this.push(Buffer.concat(this.#waiting))
    done()
  }

  #wait(part: Uint8Array): void {
    if (part.length === 0) return
    this.#waiting.push(part)
    this.#waitingBytes += part.length
    if (this.#waitingBytes <= this.#options.lineBytes) return
    // Of a line that is too long its ends are enough to know whom to answer.
    const whole = Buffer.concat(this.#waiting)
    this.#head ??= Buffer.from(whole.subarray(0, endBytes))
    this.#waiting = [Buffer.from(whole.subarray(-endBytes))]
  }

  #takeLine(): void {
    const line = Buffer.concat(this.#waiting)
    const head = this.#head
    this.#waiting = []
    this.#waitingBytes = 0
    this.#head = undefined
    const refused = head === undefined ? refusedLine(line) : this.#tooLong(head, line)
    if (refused === undefined) this.push(line)
    else this.#refuse(refused)
  }

  #tooLong(head: Buffer, tail: Buffer): RefusedLine {
    const message = `a message is longer than ${this.#options.lineBytes} bytes`
    return { message, ...idInEnds(head.toString('utf8'), tail.toString('utf8')) }
  }

  #refuse({ message, asked, answered }: RefusedLine): void {
    const { answer, onRefused } = this.#options
    onRefused(message)
    for (const id of asked) answer.write(errorLine(id, message))
    for (const id of answered) this.push(errorLine(id, message))
  }
}

const newline = 10
const endBytes = 1_024
const invalidRequest = -32600

interface RefusedLine extends RefusedIds {
  readonly message: string
}

/** Undefined for a line that may pass. */
function refusedLine(line: Buffer): RefusedLine | undefined {
  const problem = problemOf(line)
  if (problem === undefined) return undefined
  let value: unknown
  try {
    value = JSON.parse(line.toString('utf8'))
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  return { message: problem, ...refusedIds(value) }
}

function problemOf(line: Buffer): string | undefined {
  try {
    parseJSONRPCMessage(parseStrictJson(line))
    return undefined
  } catch (error) {
    if (line[0] === openingBracket) return noBatch
    return error instanceof Refusal ? String(error.data.problem ?? error.message) : noMessage
  }
}

const openingBracket = 0x5b
const noMessage = 'this is no message of the protocol'
const noBatch = 'messages come one a line and not in lists'

function errorLine(id: string | number | null, message: string): string {
  return `${JSON.stringify({ jsonrpc: '2.0', id, error: { code: invalidRequest, message } })}\n`
}
