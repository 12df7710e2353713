import { fixedLimits } from '../core/limits.js'
import type { Request } from './build-request.js'
import type { Connection } from './connection.js'
import { readEvents } from './read-events.js'
import { type Failure, failureOf, unanswered, waitBefore } from './send-request.js'

/**
 * The data of the events of a stream, until the signal says that it is over. Where the connection breaks it is taken
 * up again after the last event that came; what happened before the first one came is only sure with `since`.
 */
export async function* followEvents(
  connection: Connection,
  request: Request,
  signal: AbortSignal | undefined,
): AsyncGenerator<unknown, void> {
  const { clock, tries } = connection
  let last = request.headers['last-event-id']
  let failures = 0
  while (!signal?.aborted) {
    const openedMs = clock.nowMs()
    const headers = { ...request.headers, ...(last !== undefined && { 'last-event-id': last }) }
    const before = last
    const failure = yield* readStream(connection, { ...request, headers }, signal, id => {
      last = id
    })
    if (signal?.aborted) return
    const isFresh = last !== before || clock.nowMs() - openedMs >= fixedLimits.clientWaitMs
    failures = isFresh ? 1 : failures + 1
    const waitMs = failures < tries ? waitBefore(failures, failure, clock) : undefined
    if (waitMs === undefined) throw failure.error
    await clock.sleep(waitMs, signal).catch(() => undefined)
  }
}

/** The events of one connection, and then why there are no more. */
async function* readStream(
  connection: Connection,
  request: Request,
  signal: AbortSignal | undefined,
  seen: (id: string) => void,
): AsyncGenerator<unknown, Failure> {
  const token = await connection.token()
  try {
    const response = await connection.send(request, token, signal)
    const { status, headers, body } = response
    if (status !== 200 || body === null) {
      const bytes = new Uint8Array(await response.arrayBuffer())
      return failureOf({ status, headers, bytes })
    }
    for await (const { id, data } of readEvents(body)) {
      seen(id)
      yield data
    }
    return unanswered(request, undefined)
  } catch (cause) {
    return unanswered(request, cause)
  }
}
