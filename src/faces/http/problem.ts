import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import { Refusal } from '../../core/errors.js'
import type { Log } from './log.js'

/** A problem of RFC 9457, ready to be sent. */
export interface Problem {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A refusal as it is; anything else is our bug: written down with its stack, and nothing of it goes out. */
export function toProblem(error: unknown, log: Log): Problem {
  if (error instanceof Refusal) return refusalProblem(error)
  const instance = `urn:uuid:${randomUUID()}`
  log.error({ err: error, instance }, 'unexpected error')
  return problem(500, {
    ...described('INTERNAL_ERROR', 500),
    detail: 'Something failed inside the server; its log says more under this instance.',
    instance,
    code: 'INTERNAL_ERROR',
    next_action: 'ask_user',
  })
}

/** A refusal as a problem: its data beside `code` and `next_action`, which data never replaces. */
function refusalProblem(refusal: Refusal): Problem {
  return problem(
    refusal.status,
    {
      ...refusal.data,
      ...described(refusal.code, refusal.status),
      detail: refusal.message,
      code: refusal.code,
      next_action: refusal.nextAction,
    },
    headersOf(refusal),
  )
}

function problem(
  status: number,
  fields: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {},
): Problem {
  const type = { 'content-type': 'application/problem+json' }
  return { status, headers: { ...headers, ...type }, body: JSON.stringify(fields) }
}

function described(code: string, status: number): Readonly<Record<string, unknown>> {
  const name = code.toLowerCase()
  return { type: `urn:editlatch:problem:${name}`, title: STATUS_CODES[status] ?? name, status }
}

function headersOf(refusal: Refusal): Readonly<Record<string, string>> {
  switch (refusal.status) {
    case 401:
      return { 'www-authenticate': 'Bearer realm="editlatch"' }
    case 405:
      return { allow: String(refusal.data.allow) }
    case 429:
    case 503:
      return { 'retry-after': '1' }
    default:
      return {}
  }
}
