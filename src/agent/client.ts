import { type Commands, places } from './api.js'
import type { CallOptions, FileBytes, Places } from './ask.js'
import { buildRequest } from './build-request.js'
import { type ClientOptions, type Connection, connect } from './connection.js'
import { followEvents } from './follow-events.js'
import { type Answered, foreignAnswer, sendRequest } from './send-request.js'

export type * from './api.js'
export type { CallOptions, FileBytes } from './ask.js'
export type { ClientOptions, Clock } from './connection.js'
export {
  type AnsweredCode,
  EditlatchRefusal,
  EditlatchUnreachable,
  isRefusal,
} from './refusal.js'

/** A method for each command, and the same client with another token. */
export interface EditlatchClient extends Commands {
  /** For the token that was answered when a worktree was opened. */
  withToken(token: ClientOptions['token']): EditlatchClient
}

/**
 * A client for the HTTP API of a server. It works wherever there is `fetch`. What is refused rejects with
 * `EditlatchRefusal`, no answer with `EditlatchUnreachable`, an aborted signal with its reason. Throws a `TypeError`
 * for a URL that is none of HTTP.
 */
export function createClient(options: ClientOptions): EditlatchClient {
  const connection = connect(options)
  const methods = Object.fromEntries(
    Object.entries(places).map(([name, one]) => [name, methodOf(connection, one)]),
  )
  // The methods are those of the list that the types were written from.
  const commands = methods as unknown as Commands
  return { ...commands, withToken: token => createClient({ ...options, token }) }
}

type Fields = Readonly<Record<string, unknown>>

function methodOf(connection: Connection, one: Places) {
  return one.kind === 'stream'
    ? (input: Fields = {}, { signal }: CallOptions = {}) =>
        followEvents(connection, buildRequest(one, input), signal)
    : async (input: Fields = {}, { signal }: CallOptions = {}) =>
        readAnswer(await sendRequest(connection, buildRequest(one, input), signal))
}

function readAnswer(answered: Answered): unknown {
  const { status, headers, bytes } = answered
  if (status === 304) return 'unchanged'
  switch (headers.get('content-type')) {
    case 'application/json':
      return JSON.parse(new TextDecoder().decode(bytes))
    case 'application/octet-stream':
      return { rev: headers.get('etag')?.slice(1, -1) ?? '', bytes } satisfies FileBytes
    default:
      throw foreignAnswer(answered)
  }
}
