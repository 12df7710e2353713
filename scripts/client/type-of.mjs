// JSON Schemas as TypeScript.

/** @typedef {Readonly<Record<string, any>>} Schema */

/**
 * The type of what fits a schema.
 * @param {Schema} schema
 * @returns {string}
 */
export function typeOf(schema) {
  const { $ref, anyOf, oneOf, enum: words, type, items, properties, additionalProperties } = schema
  if ($ref !== undefined) return $ref.split('/').at(-1)
  if ('const' in schema) return JSON.stringify(schema.const)
  if (words !== undefined)
    return union(words.map((/** @type {unknown} */ word) => JSON.stringify(word)))
  if (anyOf !== undefined || oneOf !== undefined) return union((anyOf ?? oneOf).map(typeOf))
  if (Array.isArray(type)) return union(type.map(one => typeOf({ ...schema, type: one })))
  if (type === 'array') return `readonly (${typeOf(items ?? {})})[]`
  if (properties !== undefined) return recordOf(schema)
  if (type === 'object') return `Readonly<Record<string, ${typeOf(additionalProperties || {})}>>`
  return simple.get(type) ?? 'unknown'
}

const simple = new Map([
  ['string', 'string'],
  ['integer', 'number'],
  ['number', 'number'],
  ['boolean', 'boolean'],
  ['null', 'null'],
])

/** @param {readonly string[]} types */
function union(types) {
  return types.join(' | ')
}

/** @param {Schema} schema */
function recordOf({ properties, required = [] }) {
  const fields = Object.entries(properties).map(([name, field]) => {
    const mark = required.includes(name) ? '' : '?'
    return `${comment(field.description)}readonly ${name}${mark}: ${typeOf(field)}`
  })
  return `{\n${fields.join('\n')}\n}`
}

/**
 * A comment of one paragraph, nothing for no words.
 * @param {unknown} words
 */
export function comment(words) {
  return typeof words === 'string' && words !== ''
    ? `/** ${words.replaceAll('*/', '* /')} */\n`
    : ''
}
