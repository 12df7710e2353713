import { z } from 'zod'
import {
  carriesEntityTags,
  describeField,
  fieldKind,
  fieldsIn,
  isRequired,
  sourcesOf,
} from '../../../commands/bind.js'
import type { Command, Route } from '../../../commands/command.js'
import { textTypes } from '../body.js'
import type { Schema, SchemaBook } from './schemas.js'

/** The parameters of a route, by their places. */
export function parametersOf(command: Command, route: Route, book: SchemaBook): readonly Schema[] {
  const free = (field: string): boolean => !(field in (route.preset ?? {}))
  return [
    ...fieldsIn(command, 'path').map(field => parameter(command, field, 'path', field, book)),
    ...fieldsIn(command, 'query')
      .filter(free)
      .map(field => parameter(command, field, 'query', field, book)),
    ...fieldsIn(command, 'header:').flatMap(field =>
      headersOf(command, field).map(name => parameter(command, field, 'header', name, book)),
    ),
  ]
}

function headersOf(command: Command, field: string): readonly string[] {
  return sourcesOf(command, field).flatMap(source =>
    source.startsWith('header:') ? [source.slice('header:'.length)] : [],
  )
}

function parameter(
  command: Command,
  field: string,
  place: 'path' | 'query' | 'header',
  name: string,
  book: SchemaBook,
): Schema {
  const isTag = place === 'header' && carriesEntityTags(name)
  return {
    name,
    in: place,
    description: describeField(command, field),
    required: isRequired(command, field) && sourcesOf(command, field).length === 1,
    schema: isTag ? tagSchema(command, field) : textSchema(command, field, book),
  }
}

/** A parameter is never given twice: a list is one text. */
function textSchema(command: Command, field: string, book: SchemaBook): Schema {
  return fieldKind(command, field) === 'texts'
    ? { type: 'string', description: 'One on each line.' }
    : valueSchema(command, field, book)
}

function tagSchema(command: Command, field: string): Schema {
  return fieldKind(command, field) === 'boolean'
    ? { type: 'string', const: '*' }
    : { type: 'string', description: 'A revision in double quotes.' }
}

/** The body of a route, in each content type that it takes; undefined where it takes none. */
export function bodyOf(command: Command, book: SchemaBook): Schema | undefined {
  const [raw] = fieldsIn(command, 'raw-body')
  if (raw !== undefined) {
    const description = `${describeField(command, raw)} Any content type is taken.`
    return { description, required: true, content: { 'application/octet-stream': {} } }
  }
  const fields = fieldsIn(command, 'json')
  if (fields.length === 0) return undefined
  const required = fields.filter(
    field => isRequired(command, field) && sourcesOf(command, field).length === 1,
  )
  const content = { 'application/json': { schema: objectSchema(command, fields, required, book) } }
  return { required: required.length > 0, content: { ...content, ...textContent(command) } }
}

function textContent(command: Command): Schema {
  const [text] = fieldsIn(command, 'text-body')
  if (text === undefined) return {}
  const schema = { type: 'string', description: describeField(command, text) }
  return Object.fromEntries(textTypes.map(type => [type, { schema }]))
}

function objectSchema(
  command: Command,
  fields: readonly string[],
  required: readonly string[],
  book: SchemaBook,
): Schema {
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(field => [field, fieldSchema(command, field, book)])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  }
}

/** What a field of a body looks like, with what it means. */
function fieldSchema(command: Command, field: string, book: SchemaBook): Schema {
  return { description: describeField(command, field), ...valueSchema(command, field, book) }
}

function valueSchema(command: Command, field: string, book: SchemaBook): Schema {
  const type = command.shapes[field] ?? command.input.shape[field]
  const { description: _, ...schema } = type instanceof z.ZodType ? book.schemaOf(type) : {}
  return schema
}
