import { document, type Operation, operations } from './api-document.js'

type Fields = Readonly<Record<string, unknown>>

/** The document as a person reads it: a paragraph for each route, then one for each named schema. */
export function outlineDocument(): string {
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) =>
    [`${name}`, ...fieldLines(schema, '  ')].join('\n'),
  )
  return `${[...operations.map(outlineOperation), ...schemas].join('\n\n')}\n`
}

function outlineOperation(operation: Operation): string {
  const { method, path, operationId, parameters = [], requestBody, responses } = operation
  return [
    `${method} ${path} (${operationId})`,
    ...parameters.map(
      ({ in: place, name, required, schema }) =>
        `  ${place} ${name}${required ? '' : '?'}: ${typeText(schema)}`,
    ),
    ...Object.entries(requestBody?.content ?? {}).flatMap(([type, { schema = {} }]) => [
      `  body ${type}${requestBody?.required ? '' : '?'}: ${typeText(schema)}`,
      ...fieldLines(schema, '    '),
    ]),
    ...Object.entries(responses).map(([status, answer]) => `  ${status} ${answerText(answer)}`),
  ].join('\n')
}

function answerText({ headers = {}, content = {} }: Operation['responses'][string]): string {
  const bodies = Object.entries(content).map(([type, media]) => {
    const { schema = {}, 'x-event-data': data } = media
    return type === 'application/problem+json'
      ? codesText(schema)
      : `${type} ${typeText(data ?? schema)}`
  })
  return [...Object.keys(headers).map(name => `[${name}]`), ...bodies].join(' ')
}

function codesText(schema: Fields): string {
  return [...JSON.stringify(schema).matchAll(/"([A-Z_]{3,})"/g)].map(([, code]) => code).join(' ')
}

function fieldLines(schema: Fields, indent: string): readonly string[] {
  const { properties, required } = schema
  if (typeof properties !== 'object' || properties === null) return [`${indent}${typeText(schema)}`]
  return Object.entries(properties).flatMap(([name, field]) => {
    const isThere = Array.isArray(required) && required.includes(name)
    return [
      `${indent}${name}${isThere ? '' : '?'}: ${typeText(field)}`,
      ...('properties' in field ? fieldLines(field, `${indent}  `) : []),
    ]
  })
}

const silent = ['description', 'properties', 'required', 'additionalProperties']

/** A type in one line: a name, the words of an enum, or what else its schema says. */
function typeText(schema: Fields): string {
  const { $ref, const: only, enum: words, anyOf, oneOf, items, type, ...rest } = schema
  const bounds = Object.entries(rest).filter(([key]) => !silent.includes(key))
  const [any] = [anyOf, oneOf].filter(Array.isArray)
  const text =
    typeof $ref === 'string'
      ? ($ref.split('/').at(-1) ?? '')
      : only !== undefined
        ? JSON.stringify(only)
        : Array.isArray(words)
          ? words.map(word => JSON.stringify(word)).join(' | ')
          : any !== undefined
            ? any.map(typeText).join(' | ')
            : typeof items === 'object'
              ? `(${typeText({ ...items })})[]`
              : [type ?? 'any'].flat().join(' | ')
  return [text, ...bounds.map(([key, value]) => `${key}=${JSON.stringify(value)}`)].join(' ')
}
