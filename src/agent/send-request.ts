import { fixedLimits } from '../core/limits.js'
import type { Request } from './build-request.js'
import type { Clock, Connection } from './connection.js'
import { EditlatchRefusal, EditlatchUnreachable, type Problem } from './refusal.js'

/** An answer that came whole. */
export interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
}

/**
 * Sends a request and answers what came, if it is no refusal. What may be sent twice is sent again where no answer
 * came, or one that says to wait, after a growing time and as often as the connection says.
 */
export async function sendRequest(
  connection: Connection,
  request: Request,
  signal: AbortSignal | undefined,
): Promise<Answered> {
  const tries = isRepeatable(request) ? connection.tries : 1
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await sendOnce(connection, request, signal)
    if (!('error' in outcome)) return outcome
    const waitMs = attempt < tries ? waitBefore(attempt, outcome, connection.clock) : undefined
    if (waitMs === undefined) throw outcome.error
    await connection.clock.sleep(waitMs, signal)
  }
}

/** Reading changes nothing, and a key makes the server do a thing once. */
function isRepeatable({ method, headers }: Request): boolean {
  return method === 'GET' || headers['idempotency-key'] !== undefined
}

/** Why there is no answer, and what that says about trying again; without `retry` it is final. */
export interface Failure {
  readonly error: Error
  readonly retry?: Retry
}

interface Retry {
  /** What Retry-After said. */
  readonly after: string | null
}

async function sendOnce(
  connection: Connection,
  request: Request,
  signal: AbortSignal | undefined,
): Promise<Answered | Failure> {
  signal?.throwIfAborted()
  const token = await connection.token()
  try {
    const response = await connection.send(request, token, signal)
    const { status, headers } = response
    const answered = { status, headers, bytes: new Uint8Array(await response.arrayBuffer()) }
    return status < 300 || status === 304 ? answered : failureOf(answered)
  } catch (cause) {
    signal?.throwIfAborted()
    return unanswered(request, cause)
  }
}

/** No answer came, or it broke off. */
export function unanswered(request: Request, cause: unknown): Failure {
  const isUndone = request.method === 'GET'
  const next = isUndone
    ? 'Look whether the server runs, and ask again.'
    : 'The request may have been done: read the state, or send the same again if it has an idempotency key.'
  const message = `No answer came from the server. ${next}`
  return { error: new EditlatchUnreachable(message, { cause, isUndone }), retry: { after: null } }
}

/** What a status of 400 and more means: a refusal, or something that is not from our server at all. */
export function failureOf(answered: Answered): Failure {
  const { status, headers, bytes } = answered
  const after = headers.get('retry-after')
  const problem = readProblem(bytes)
  if (problem === undefined) {
    const mayPass = [429, 502, 503, 504].includes(status)
    return { error: foreignAnswer(answered), ...(mayPass && { retry: { after } }) }
  }
  const mayPass = problem.next_action === 'retry' && (after !== null || isInFlight(problem))
  return { error: new EditlatchRefusal(problem), ...(mayPass && { retry: { after } }) }
}

/** For what another server or a proxy on the way has said. */
export function foreignAnswer({ status }: Answered): EditlatchUnreachable {
  const message = `The answer was ${status} and not from Editlatch. Check the URL, and what stands between.`
  return new EditlatchUnreachable(message, { isUndone: false })
}

/** The key of a request whose answer was lost: the first one is still at work. */
function isInFlight({ code }: Problem): boolean {
  return code === 'KEY_IN_FLIGHT'
}

function readProblem(bytes: Uint8Array): Problem | undefined {
  try {
    const problem: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return isProblem(problem) ? problem : undefined
  } catch {
    return undefined
  }
}

function isProblem(value: unknown): value is Problem {
  if (typeof value !== 'object' || value === null) return false
  const { code, status, detail } = { code: '', status: 0, detail: '', ...value }
  return typeof code === 'string' && code !== '' && typeof status === 'number' && detail !== ''
}

/** Milliseconds until the next try; undefined where there is none, or where it would be too long. */
export function waitBefore(attempt: number, { retry }: Failure, clock: Clock): number | undefined {
  if (retry === undefined) return undefined
  const askedMs = retryAfterMs(retry.after, clock)
  if (askedMs > fixedLimits.clientWaitMs) return undefined
  const grown = Math.min(fixedLimits.clientBackoffMs * 2 ** (attempt - 1), fixedLimits.clientWaitMs)
  // Clients that were sent away together must not come back together.
  return Math.max(askedMs, grown * (0.5 + clock.random() / 2))
}

/** `Retry-After` is a number of seconds, or a date. */
function retryAfterMs(after: string | null, clock: Clock): number {
  if (after === null) return 0
  if (/^\d{1,9}$/.test(after)) return Number(after) * 1_000
  const atMs = Date.parse(after)
  return Number.isNaN(atMs) ? 0 : Math.max(0, atMs - clock.nowMs())
}
