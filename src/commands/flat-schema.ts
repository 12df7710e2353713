import { z } from 'zod'

/** A field of a schema that every provider and client takes. */
export interface FlatField {
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'array'
  readonly description: string
  readonly enum?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: FlatObject | Pick<FlatField, 'type'>
}

/** An object of such fields. What may be left out is not in `required`; nothing is ever null. */
export interface FlatObject {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, FlatField>>
  readonly required: readonly string[]
  readonly additionalProperties: false
}

type Shape = Readonly<Record<string, z.ZodType>>

/**
 * The JSON Schema of a record of fields in the subset that works everywhere: no unions, const, null, tuples,
 * references, patterns or open maps. A union of records by their `op` becomes one record of all their fields, a text
 * that may be null a text, and a field of any type is left out. Throws on what it cannot say.
 */
export function flatObject(shape: Shape): FlatObject {
  const fields = Object.entries(shape).flatMap(([name, type]) => {
    const field = flatField(type)
    return field === undefined ? [] : ([[name, field, isOptional(type)] as const] as const)
  })
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, field]) => [name, field])),
    required: fields.flatMap(([name, , optional]) => (optional ? [] : [name])),
    additionalProperties: false,
  }
}

/** The fields of one edit: of a record as they are, of a union by `op` those of all its records. */
export function flatShape(type: z.ZodType): Shape {
  if (type instanceof z.ZodObject) return type.shape
  if (type instanceof z.ZodDiscriminatedUnion) return joinShapes(type.options)
  throw new Error('an edit that is no record')
}

function joinShapes(options: readonly unknown[]): Shape {
  const shapes = options.map(option => flatShape(option as z.ZodType))
  const names = [...new Set(shapes.flatMap(shape => Object.keys(shape)))]
  return Object.fromEntries(names.map(name => [name, joinField(name, shapes)]))
}

function joinField(name: string, shapes: readonly Shape[]): z.ZodType {
  const types = shapes.flatMap(shape => shape[name] ?? [])
  const literals = types.flatMap(type => (type instanceof z.ZodLiteral ? [String(type.value)] : []))
  if (literals.length > 0) return z.enum(literals).describe('What to do.')
  const [type = z.string()] = types
  const isEverywhere = types.length === shapes.length && types.every(one => !isOptional(one))
  return isEverywhere || isOptional(type) ? type : type.exactOptional()
}

function isOptional(type: z.ZodType): boolean {
  return type instanceof z.ZodExactOptional || type instanceof z.ZodOptional
}

function flatField(type: z.ZodType): FlatField | undefined {
  const plain = plainType(type)
  if (plain instanceof z.ZodUnknown) return undefined
  return { ...kindOf(plain), description: type.description ?? plain.description ?? '' }
}

function plainType(type: z.ZodType): z.ZodType {
  if (type instanceof z.ZodExactOptional || type instanceof z.ZodOptional) {
    return plainType(type.unwrap() as z.ZodType)
  }
  if (!(type instanceof z.ZodUnion)) return type
  const [only, ...others] = type.options.filter(option => !(option instanceof z.ZodNull))
  if (only === undefined || others.length > 0) throw new Error('a union of several types')
  const { description } = type
  const inner = plainType(only as z.ZodType)
  return description === undefined ? inner : inner.describe(description)
}

function kindOf(type: z.ZodType): Omit<FlatField, 'description'> {
  if (type instanceof z.ZodString) return { type: 'string' }
  if (type instanceof z.ZodBoolean) return { type: 'boolean' }
  if (type instanceof z.ZodEnum) return { type: 'string', enum: type.options.map(String) }
  if (type instanceof z.ZodNumber) return numberKind(type)
  if (type instanceof z.ZodArray) return { type: 'array', items: flatItems(type.element) }
  throw new Error(`a ${type.type} has no flat form`)
}

function flatItems(element: unknown): NonNullable<FlatField['items']> {
  if (element instanceof z.ZodObject || element instanceof z.ZodDiscriminatedUnion) {
    return flatObject(flatShape(element))
  }
  return { type: kindOf(element as z.ZodType).type }
}

function numberKind(type: z.ZodNumber): Omit<FlatField, 'description'> {
  const { minValue, maxValue } = type
  return {
    type: type.isInt ? 'integer' : 'number',
    ...(isSaid(minValue) && { minimum: minValue }),
    ...(isSaid(maxValue) && { maximum: maxValue }),
  }
}

/** Every whole number has the bounds of what JavaScript can count. */
function isSaid(bound: number | null): bound is number {
  return bound !== null && Math.abs(bound) < Number.MAX_SAFE_INTEGER
}
