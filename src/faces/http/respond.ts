import type { Answer } from '../../commands/command.js'
import { eventStream } from './event-stream.js'

/** Nothing is kept by caches or guessed at by browsers, and no page may embed or read it. */
export const securityHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const

/** A command's answer as an HTTP response; any of the endings ends a stream. */
export function toResponse(answer: Answer, endings: readonly AbortSignal[]): Response {
  switch (answer.kind) {
    case 'value':
      return new Response(JSON.stringify(answer.value), {
        status: answer.status,
        headers: { ...securityHeaders, ...answer.headers, 'content-type': 'application/json' },
      })
    case 'bytes':
      return new Response(new Uint8Array(answer.bytes), {
        headers: {
          ...securityHeaders,
          ...answer.headers,
          'content-type': 'application/octet-stream',
        },
      })
    case 'unchanged':
      return new Response(null, { status: 304, headers: { ...securityHeaders, ...answer.headers } })
    case 'stream':
      return new Response(eventStream(answer.events, AbortSignal.any([...endings])), {
        headers: { ...securityHeaders, 'content-type': 'text/event-stream' },
      })
  }
}
