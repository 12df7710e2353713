import { z } from 'zod'
import { Refusal } from '../core/errors.js'
import type { Command, Source } from './command.js'
import { parseEntityTags } from './entity-tag.js'

/** The places of one field, the first that is given counts. */
export function sourcesOf(command: Command, field: string): readonly Source[] {
  const bound = command.bind[field] ?? []
  return typeof bound === 'string' ? [bound] : bound
}

/** The fields of a command that have a place of this kind, such as `query` or `header:`. */
export function fieldsIn(command: Command, place: Source | 'header:' | 'accept:'): string[] {
  return Object.keys(command.bind).filter(field =>
    sourcesOf(command, field).some(source =>
      place.endsWith(':') ? source.startsWith(place) : source === place,
    ),
  )
}

export type FieldKind = 'boolean' | 'number' | 'text' | 'texts' | 'bytes' | 'document'

/** What a field is to a face that only has text: `texts` is a list of it, a document anything that needs JSON. */
export function fieldKind(command: Command, field: string): FieldKind {
  if (fieldsIn(command, 'raw-body').includes(field)) return 'bytes'
  const type = plainType(command.input.shape[field])
  if (type instanceof z.ZodBoolean) return 'boolean'
  if (type instanceof z.ZodNumber) return 'number'
  if (type instanceof z.ZodArray && type.element instanceof z.ZodString) return 'texts'
  return type instanceof z.ZodString || type instanceof z.ZodEnum ? 'text' : 'document'
}

/** What a field means, in the words of its schema. */
export function describeField(command: Command, field: string): string {
  const schema = command.input.shape[field]
  const plain = plainType(schema)
  return schema?.description ?? (plain instanceof z.ZodType ? plain.description : undefined) ?? ''
}

/** True for a field that every request must have. */
export function isRequired(command: Command, field: string): boolean {
  return !(command.input.shape[field] instanceof z.ZodExactOptional)
}

/** A text from a query or a command line as the value its field wants; what does not fit stays text for the schema to refuse. */
export function fromText(kind: FieldKind, text: string): unknown {
  if (kind === 'texts') return text.split('\n')
  if (kind === 'number' && /^\d{1,15}$/.test(text)) return Number(text)
  if (kind === 'boolean' && /^(?:true|1|)$/.test(text)) return true
  if (kind === 'boolean' && /^(?:false|0)$/.test(text)) return false
  return text
}

/** The value of a header as its field wants it. */
export function fromHeader(name: string, kind: FieldKind, value: string): unknown {
  if (!carriesEntityTags(name)) return fromText(kind, value)
  const tags = parseEntityTags(value)
  if (kind !== 'boolean') return tags
  if (tags === '*') return true
  throw new Refusal('INVALID_ARGUMENTS', { problem: `${name} can only be * here` })
}

/** True for the headers whose values are revisions in double quotes, or `*`. */
export function carriesEntityTags(name: string): boolean {
  return name === 'if-match' || name === 'if-none-match'
}

function plainType(type: unknown): unknown {
  return type instanceof z.ZodOptional || type instanceof z.ZodExactOptional
    ? plainType(type.unwrap())
    : type
}
