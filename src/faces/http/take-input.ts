import type { IncomingMessage } from 'node:http'
import { fieldKind, fieldsIn, fromHeader, fromText, sourcesOf } from '../../commands/bind.js'
import type { Command, Route, Source } from '../../commands/command.js'
import { checkNames, parseDocument, parseTextBody } from '../../commands/parse-document.js'
import { Refusal } from '../../core/errors.js'
import { checkJsonType, checkNotPacked, hasBody, isTextType, readBody } from './body.js'
import { parseQuery } from './query.js'

type Fields = Readonly<Record<string, unknown>>

/** Refuses a body that the command does not take, by the headers alone. */
export function checkBodyType(command: Command, incoming: IncomingMessage): void {
  if (!hasBody(incoming)) return
  checkNotPacked(incoming)
  if (isTextBody(command, incoming)) return
  if (fieldsIn(command, 'json').length > 0) checkJsonType(incoming)
  else if (fieldsIn(command, 'raw-body').length === 0) {
    throw new Refusal('INVALID_ARGUMENTS', { problem: 'this route takes no body' })
  }
}

/** The input of a command, each field from the place that the command binds it to. */
export async function takeInput(
  command: Command,
  route: Route,
  incoming: IncomingMessage,
  params: Readonly<Record<string, string>>,
  bodyBytes: number,
): Promise<Fields> {
  const query = takeQuery(command, route, incoming.url ?? '')
  const headers = takeHeaders(command, incoming)
  const body = await takeBody(command, incoming, bodyBytes)
  refuseTwice(body, query)
  return { ...body, ...query, ...headers, ...params, ...route.preset }
}

/** One place must not overrule the other unseen. */
function refuseTwice(body: Fields, query: Fields): void {
  const field = Object.keys(query).find(name => name in body)
  if (field === undefined) return
  throw new Refusal('INVALID_ARGUMENTS', {
    problem: `${field} stands in the query and in the body`,
  })
}

function takeQuery(command: Command, route: Route, target: string): Fields {
  const known = fieldsIn(command, 'query').filter(field => !(field in (route.preset ?? {})))
  const query = parseQuery(target)
  checkNames([...query.keys()], known)
  return Object.fromEntries(
    [...query].map(([name, text]) => [name, fromText(fieldKind(command, name), text)]),
  )
}

function takeHeaders(command: Command, incoming: IncomingMessage): Fields {
  const fields = [...fieldsIn(command, 'header:'), ...fieldsIn(command, 'accept:')]
  const entries = fields.flatMap(field =>
    sourcesOf(command, field)
      .map(source => takeHeader(command, field, source, incoming))
      .filter(value => value !== undefined)
      .map(value => [field, value]),
  )
  return Object.fromEntries(entries)
}

function takeHeader(
  command: Command,
  field: string,
  source: Source,
  incoming: IncomingMessage,
): unknown {
  if (source.startsWith('accept:')) {
    return accepts(incoming.headers.accept, source.slice('accept:'.length)) ? true : undefined
  }
  const name = source.slice('header:'.length)
  const value = source.startsWith('header:') ? incoming.headers[name] : undefined
  return typeof value === 'string' ? fromHeader(name, fieldKind(command, field), value) : undefined
}

/** True where the media type is asked for by name; a wildcard asks for JSON. */
function accepts(header: string | undefined, type: string): boolean {
  return (header ?? '').split(',').some(part => part.split(';')[0]?.trim().toLowerCase() === type)
}

async function takeBody(
  command: Command,
  incoming: IncomingMessage,
  limitBytes: number,
): Promise<Fields> {
  const [raw] = fieldsIn(command, 'raw-body')
  if (raw !== undefined) return { [raw]: await readBody(incoming, limitBytes) }
  const [text] = fieldsIn(command, 'text-body')
  if (text !== undefined && isTextBody(command, incoming)) {
    return { [text]: parseTextBody(await readBody(incoming, limitBytes)) }
  }
  return hasBody(incoming) ? parseDocument(command, await readBody(incoming, limitBytes)) : {}
}

/** True for a body of a text type, where the command takes one. */
function isTextBody(command: Command, incoming: IncomingMessage): boolean {
  return fieldsIn(command, 'text-body').length > 0 && hasBody(incoming) && isTextType(incoming)
}
