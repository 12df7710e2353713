import { z } from 'zod'

/** A JSON Schema, as OpenAPI 3.1 takes it. */
export type Schema = Readonly<Record<string, unknown>>

/** Turns zod's schemas into those of a document, and keeps the named ones to stand among its components. */
export class SchemaBook {
  readonly #named = new Map<string, Schema>()
  readonly #known = new Map<z.ZodType, Schema>()

  /** The schema of one type; a reference where it has a name. */
  schemaOf(type: z.ZodType): Schema {
    const schema = this.#known.get(type) ?? this.#convert(type)
    this.#known.set(type, schema)
    return schema
  }

  #convert(type: z.ZodType): Schema {
    const {
      $schema: _,
      $defs: named,
      ...schema
    } = z.toJSONSchema(type, {
      // What is told of an object may grow: its reader must not refuse what it does not know.
      io: 'input',
      unrepresentable: 'any',
    })
    for (const [name, one] of Object.entries(named ?? {})) this.#named.set(name, plain(one))
    return plain(schema)
  }

  /** Keeps a schema under a name and answers the reference to it. */
  name(name: string, schema: Schema): Schema {
    this.#named.set(name, schema)
    return { $ref: `#/components/schemas/${name}` }
  }

  /** Every schema that was named so far, by its name. */
  named(): Readonly<Record<string, Schema>> {
    return Object.fromEntries([...this.#named].sort(([a], [b]) => (a < b ? -1 : 1)))
  }
}

/** References lead to the components, and a number says no bounds that every safe integer keeps. */
function plain(schema: unknown): Schema {
  return plainValue(schema) as Schema
}

function plainValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainValue)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(
    ([, inner]) => inner !== Number.MAX_SAFE_INTEGER && inner !== Number.MIN_SAFE_INTEGER,
  )
  return Object.fromEntries(
    entries.map(([key, inner]) => [
      key,
      key === '$ref'
        ? String(inner).replace('#/$defs/', '#/components/schemas/')
        : plainValue(inner),
    ]),
  )
}
