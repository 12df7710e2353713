import { STATUS_CODES } from 'node:http'
import { fieldsIn, sourcesOf } from '../../../commands/bind.js'
import type { Command, Route } from '../../../commands/command.js'
import { refusalsOf } from './refusals.js'
import type { Schema, SchemaBook } from './schemas.js'

/** Every answer of a route by its status. */
export function answersOf(command: Command, route: Route, book: SchemaBook): Schema {
  const tagged = route.method === 'GET' && fieldsIn(command, 'header:if-none-match').length > 0
  return {
    ...goodAnswers(command, tagged, book),
    ...(tagged && { 304: { description: 'It still is that revision.', headers: etag } }),
    ...Object.fromEntries(
      [...refusalsOf(command, route)].map(([status, codes]) => [status, refused(status, codes)]),
    ),
    500: refused(500, ['INTERNAL_ERROR']),
  }
}

const etag = {
  etag: { description: 'The revision in double quotes.', schema: { type: 'string' } },
} as const

function goodAnswers(command: Command, tagged: boolean, book: SchemaBook): Schema {
  const { statuses, headers, kind, schema } = command.output
  const told = { ...(tagged && etag), ...headerSchemas(headers) }
  const answer = {
    ...(Object.keys(told).length > 0 && { headers: told }),
    content:
      kind === 'stream'
        ? { 'text/event-stream': eventStream(book.schemaOf(schema)) }
        : { 'application/json': { schema: book.schemaOf(schema) }, ...bytesContent(command) },
  }
  return Object.fromEntries(
    statuses.map(status => [status, { description: meaningOf(command, status), ...answer }]),
  )
}

function meaningOf({ output: { statuses } }: Command, status: number): string {
  if (statuses.length === 1) return STATUS_CODES[status] ?? ''
  return status === 201 ? 'A commit was made.' : 'Nothing had to change, or it was a dry run.'
}

function headerSchemas(headers: Readonly<Record<string, string>>): Schema {
  return Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [
      name,
      { description, required: true, schema: { type: 'string' } },
    ]),
  )
}

/** The media types that a field of the command asks for by name. */
function bytesContent(command: Command): Schema {
  const types = fieldsIn(command, 'accept:').flatMap(field =>
    sourcesOf(command, field).flatMap(source =>
      source.startsWith('accept:') ? [source.slice('accept:'.length)] : [],
    ),
  )
  return Object.fromEntries(types.map(type => [type, {}]))
}

/** OpenAPI 3.1 has no words for events; the data of each stands in an extension. */
function eventStream(data: Schema): Schema {
  const description = 'Server-sent events, each with id, event and data.'
  return { schema: { type: 'string', description }, 'x-event-data': data }
}

function refused(status: number, codes: readonly string[]): Schema {
  const schema = {
    allOf: [
      { $ref: '#/components/schemas/Problem' },
      { type: 'object', properties: { status: { const: status }, code: { enum: codes } } },
    ],
  }
  return {
    description: STATUS_CODES[status] ?? 'Refused',
    ...(waits.has(status) && {
      headers: { 'retry-after': { description: 'Seconds to wait.', schema: { type: 'integer' } } },
    }),
    content: { 'application/problem+json': { schema } },
  }
}

const waits = new Set([429, 503])
