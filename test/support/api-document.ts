import { Ajv2020, type AnySchemaObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { openApiDocument } from '#src/faces/http/openapi/document.js'

type Fields = Readonly<Record<string, unknown>>

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly schema: Fields
}

interface Content {
  readonly [type: string]: { readonly schema?: Fields; readonly 'x-event-data'?: Fields }
}

interface Answer {
  readonly headers?: Readonly<Record<string, { readonly required?: boolean }>>
  readonly content?: Content
}

/** One route of the document. */
export interface Operation {
  readonly method: string
  /** With `{name}` for each parameter. */
  readonly path: string
  readonly operationId: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, Answer>>
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Omit<Operation, 'method'>>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Fields>> }
}

/** The document of the API, as it is served. */
export const document = JSON.parse(JSON.stringify(openApiDocument())) as Document

export const operations: readonly Operation[] = Object.entries(document.paths).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      path,
      method: method.toUpperCase(),
    })),
)

/** An answer that came over the wire. */
export interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly body: string
}

const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true })
ajv.addVocabulary(['x-event-data', 'components'])
ajv.addSchema(strict({ components: document.components }) as AnySchemaObject, 'api')

/** The route that a request was sent to; undefined for what the document does not know. */
export function operationOf(method: string, target: string): Operation | undefined {
  const path = target.split('?')[0] ?? ''
  const asked = method === 'HEAD' ? 'GET' : method
  const fits = operations.filter(one => one.method === asked && patternOf(one).test(path))
  return fits.find(one => !one.path.includes('{')) ?? fits[0]
}

function patternOf({ path }: Operation): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`)
}

const known = new WeakMap<Fields, ValidateFunction>()

/** What of an answer is not as documented: its status, a header, its type, or its body; a field that is not named counts. */
export function undocumented(
  { operationId, responses }: Operation,
  { status, headers, body }: Answered,
): readonly string[] {
  const answer = responses[status]
  if (answer === undefined) return [`${operationId} answers ${status}`]
  const missing = Object.entries(answer.headers ?? {}).flatMap(([name, { required }]) =>
    required === true && !headers.has(name) ? [name] : [],
  )
  const type = (headers.get('content-type') ?? '').split(';')[0] ?? ''
  const media = answer.content?.[type]
  if (answer.content !== undefined && media === undefined) {
    return [`${operationId} answers ${status} as ${type}`]
  }
  const { schema } = media ?? {}
  const problems =
    schema === undefined || !type.endsWith('json') || body === ''
      ? []
      : invalid(`${operationId} ${status}`, schema, JSON.parse(body))
  return [...missing.map(name => `${operationId} answers ${status} without ${name}`), ...problems]
}

/** What does not fit a schema of the document, named after whose it is. */
export function invalid(name: string, schema: Fields, value: unknown): readonly string[] {
  const validate = known.get(schema) ?? ajv.compile(strict(schema) as AnySchemaObject)
  known.set(schema, validate)
  if (validate(value)) return []
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) =>
      `${name} ${instancePath} ${message} ${JSON.stringify(params)}`,
  )
}

/** The schema with every object closed that names its fields, except problems, whose data is free. */
function strict(value: unknown, isFree = false): unknown {
  if (Array.isArray(value)) return value.map(one => strict(one, isFree))
  if (typeof value !== 'object' || value === null) return value
  const fields = { ...value } as Record<string, unknown>
  const entries = Object.entries(fields).map(([key, inner]) => [
    key,
    key === '$ref'
      ? String(inner).replace('#/', 'api#/')
      : strict(inner, isFree || key === 'Problem' || key === 'allOf'),
  ])
  const closes = fields.type === 'object' && 'properties' in fields && !isFree
  return { ...Object.fromEntries(entries), ...(closes && { additionalProperties: false }) }
}
