/** Keywords that every provider and client takes, by the type of schema they stand in. */
const known = {
  object: ['type', 'properties', 'required', 'additionalProperties', 'description'],
  array: ['type', 'items', 'description'],
  string: ['type', 'enum', 'description'],
  integer: ['type', 'minimum', 'maximum', 'description'],
  number: ['type', 'minimum', 'maximum', 'description'],
  boolean: ['type', 'description'],
} as const

type Schema = Readonly<Record<string, unknown>>

/** What some client or provider would refuse in a schema of tools: one such schema breaks every request of a client. */
export function schemaFaults(schema: unknown, place = 'root'): readonly string[] {
  if (!isRecord(schema)) return [`${place} is no schema`]
  const { type } = schema
  if (typeof type !== 'string' || !(type in known)) return [`${place} has type ${String(type)}`]
  const allowed: readonly string[] = known[type as keyof typeof known]
  const strangers = Object.keys(schema).filter(key => !allowed.includes(key))
  return [
    ...(place === 'root' && type !== 'object' ? ['root is no object'] : []),
    ...strangers.map(key => `${place} has ${key}`),
    ...(type === 'object' ? objectFaults(schema, place) : []),
    ...(type === 'array' ? schemaFaults(schema.items, `${place}[]`) : []),
    ...('enum' in schema ? enumFaults(schema.enum, place) : []),
  ]
}

function objectFaults(schema: Schema, place: string): readonly string[] {
  const { properties, required, additionalProperties } = schema
  if (!isRecord(properties)) return [`${place} has no properties`]
  const names = Object.keys(properties)
  const isListed = Array.isArray(required) && required.every(name => names.includes(name))
  return [
    ...(additionalProperties === false ? [] : [`${place} is an open map`]),
    ...(isListed ? [] : [`${place} requires what it does not have`]),
    ...names.flatMap(name => fieldFaults(properties[name], name, `${place}.${name}`)),
  ]
}

function fieldFaults(field: unknown, name: string, place: string): readonly string[] {
  const isDescribed = isRecord(field) && typeof field.description === 'string' && field.description
  return [
    ...(/^[a-zA-Z0-9_]{1,64}$/.test(name) ? [] : [`${place} is a strange name`]),
    ...(isDescribed ? [] : [`${place} is not described`]),
    ...schemaFaults(field, place),
  ]
}

function enumFaults(values: unknown, place: string): readonly string[] {
  const isSound =
    Array.isArray(values) &&
    values.length > 0 &&
    values.every(value => typeof value === 'string' && value !== '')
  return isSound ? [] : [`${place} enumerates what is no text`]
}

function isRecord(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
