import { buildRequest, type Request } from '../../agent/build-request.js'
import { type ClientOptions, connect } from '../../agent/connection.js'
import { followEvents } from '../../agent/follow-events.js'
import { EditlatchRefusal } from '../../agent/refusal.js'
import { type Answered, sendRequest } from '../../agent/send-request.js'
import { sourcesOf } from '../../commands/bind.js'
import type { Answer, Command, StreamEvent } from '../../commands/command.js'
import { catalogue } from '../../core/error-catalogue.js'
import { Refusal, type RefusalCode } from '../../core/errors.js'

type Fields = Readonly<Record<string, unknown>>

/** Sends a command to a server as the typed client does, and answers as the command would here. */
export async function askServer(
  server: ClientOptions,
  command: Command,
  input: Fields,
  signal: AbortSignal,
): Promise<Answer> {
  const connection = connect(server)
  const request = requestOf(command, input)
  if (command.output.kind === 'stream') {
    return { kind: 'stream', events: asEvents(followEvents(connection, request, signal)) }
  }
  try {
    return toAnswer(await sendRequest(connection, request, signal))
  } catch (error) {
    throw asRefusal(error)
  }
}

function requestOf(command: Command, input: Fields): Request {
  const { name, routes, output, bind } = command
  const fields = Object.keys(bind).map(field => [field, sourcesOf(command, field)[0] ?? ''])
  const places = { command: name, kind: output.kind, routes, fields: Object.fromEntries(fields) }
  try {
    return buildRequest(places, input)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new Refusal('INVALID_ARGUMENTS', { problem: error.message })
  }
}

function toAnswer({ status, headers, bytes }: Answered): Answer {
  if (status === 304) return { kind: 'unchanged', headers: {} }
  if (headers.get('content-type') === 'application/octet-stream') {
    return { kind: 'bytes', bytes, headers: {} }
  }
  const value: unknown = JSON.parse(new TextDecoder().decode(bytes))
  return { kind: 'value', value, status, headers: {} }
}

async function* asEvents(events: AsyncIterable<unknown>): AsyncGenerator<StreamEvent, void> {
  try {
    for await (const data of events) yield { id: '', type: '', data }
  } catch (error) {
    throw asRefusal(error)
  }
}

/** A refusal as this program knows it; a code of a newer server is a failure that names it. */
function asRefusal(error: unknown): unknown {
  if (!(error instanceof EditlatchRefusal)) return error
  const { code, status, data } = error
  return isCode(code)
    ? new Refusal(code, data, status)
    : new Error(`the server answered ${status} ${code}`)
}

function isCode(code: string): code is RefusalCode {
  return Object.hasOwn(catalogue, code)
}
