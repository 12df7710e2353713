import { fixedLimits } from '../core/limits.js'
import type { Request } from './build-request.js'

/** What the client needs of time and chance; tests put in their own. */
export interface Clock {
  nowMs(): number
  /** Resolves later; rejects with the signal's reason when that says so before. */
  sleep(ms: number, signal: AbortSignal | undefined): Promise<void>
  /** From 0 to 1. */
  random(): number
}

/** Where and as whom to ask. */
export interface ClientOptions {
  /** Where the server is, such as http://127.0.0.1:8080; it may stand below a path. */
  readonly url: string
  /** The server's token, or a worktree's; a function is asked before every request. */
  readonly token: string | (() => string | Promise<string>)
  /** Times that a request is sent that may be sent again: reading, and what has an idempotency key. */
  readonly tries?: number
  readonly fetch?: typeof fetch
  readonly clock?: Clock
}

/** A way to a server, with every choice made. */
export interface Connection {
  readonly tries: number
  readonly clock: Clock
  token(): Promise<string>
  send(request: Request, token: string, signal: AbortSignal | undefined): Promise<Response>
}

/** Throws a `TypeError` for a URL that is none of HTTP. */
export function connect(options: ClientOptions): Connection {
  const { tries = fixedLimits.clientTries, clock = realClock, token } = options
  const base = new URL(options.url)
  if (!/^https?:$/.test(base.protocol)) throw new TypeError('the URL must begin with http or https')
  const root = base.origin + base.pathname.replace(/\/+$/, '')
  // Bound to nothing: in browsers fetch refuses to be called as a method of something else.
  const send = options.fetch ?? ((input, init) => fetch(input, init))
  return {
    tries,
    clock,
    token: async () => (typeof token === 'string' ? token : token()),
    send: ({ method, target, headers, body }, bearer, signal) =>
      send(root + target, {
        method,
        headers: { ...headers, authorization: `Bearer ${bearer}` },
        // The token is for this server and for no other.
        redirect: 'error',
        ...(body !== undefined && { body }),
        ...(signal !== undefined && { signal }),
      }),
  }
}

const realClock: Clock = {
  nowMs: () => Date.now(),
  random: () => Math.random(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop)
        resolve()
      }, ms)
      if (signal?.aborted) stop()
      else signal?.addEventListener('abort', stop, { once: true })
    }),
}
