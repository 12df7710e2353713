// The TypeScript text of src/agent/api.ts.
import { spawnSync } from 'node:child_process'
import {
  describeField,
  fieldKind,
  fieldsIn,
  isRequired,
  sourcesOf,
} from '../../dist/commands/bind.js'
import { commands } from '../../dist/commands/registry.js'
import { SchemaBook } from '../../dist/faces/http/openapi/schemas.js'
import { root, tool } from '../setup.mjs'
import { comment, typeOf } from './type-of.mjs'

/** @typedef {import('../../dist/commands/command.js').Command} Command */

/** The whole file, as biome formats it. */
export function apiSource() {
  const book = new SchemaBook()
  const inputs = commands.map(command => inputType(command, book))
  const methods = commands.map(command => methodType(command, book))
  const named = Object.entries(book.named()).map(
    ([name, { description, ...schema }]) => comment(description) + declare(name, typeOf(schema)),
  )
  const places = commands.map(command => `${methodName(command)}: ${placesOf(command)},`)
  return format(
    [
      '// Written by `npm run client` from the command list; do not edit it by hand.',
      "import type { Ask, Follow, Places, Read } from './ask.js'",
      ...named,
      ...inputs,
      `/** Everything that can be asked, a method for each command. */
export interface Commands {\n${methods.join('\n\n')}\n}`,
      `/** Where the fields of each command stand in a request: the first place of each. */
export const places: Readonly<Record<keyof Commands, Places>> = {\n${places.join('\n')}\n}`,
    ].join('\n\n'),
  )
}

/** @param {Command} command */
function methodName({ name }) {
  return name.replace(/[_-](\w)/g, (_, letter) => letter.toUpperCase())
}

/** @param {Command} command */
function inputName(command) {
  const name = methodName(command)
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`
}

/**
 * @param {Command} command
 * @param {SchemaBook} book
 */
function inputType(command, book) {
  const fields = Object.keys(command.bind).map(field => {
    const mark = isRequired(command, field) ? '' : '?'
    return `${comment(describeField(command, field))}readonly ${field}${mark}: ${fieldType(command, field, book)}`
  })
  const type =
    fields.length === 0 ? 'Readonly<Record<string, never>>' : `{\n${fields.join('\n')}\n}`
  return (
    comment(`What \`${methodName(command)}\` is asked with.`) + declare(inputName(command), type)
  )
}

/**
 * @param {string} name
 * @param {string} type
 */
function declare(name, type) {
  return type.startsWith('{') ? `export interface ${name} ${type}` : `export type ${name} = ${type}`
}

/**
 * @param {Command} command
 * @param {string} field
 * @param {SchemaBook} book
 */
function fieldType(command, field, book) {
  if (fieldKind(command, field) === 'bytes') return 'Uint8Array'
  const type = command.shapes[field] ?? command.input.shape[field]
  if (type === undefined) throw new Error(`${command.name} has no schema of ${field}`)
  return typeOf(book.schemaOf(/** @type {import('zod').ZodType} */ (type)))
}

/**
 * @param {Command} command
 * @param {SchemaBook} book
 */
function methodType(command, book) {
  const { output, summary, bind } = command
  const asks =
    output.kind === 'stream' ? 'Follow' : fieldsIn(command, 'accept:').length > 0 ? 'Read' : 'Ask'
  const fields = Object.keys(bind)
  const optional = fields.every(field => !isRequired(command, field))
  const parts = [
    inputName(command),
    typeOf(book.schemaOf(output.schema)),
    ...(optional ? ["'optional'"] : []),
  ]
  return `${comment(summary)}readonly ${methodName(command)}: ${asks}<${parts.join(', ')}>`
}

/** @param {Command} command */
function placesOf(command) {
  const fields = Object.keys(command.bind).map(field => [field, sourcesOf(command, field)[0]])
  return JSON.stringify({
    command: command.name,
    kind: command.output.kind,
    routes: command.routes.map(({ method, path, preset }) => ({
      method,
      path,
      ...(preset && { preset }),
    })),
    fields: Object.fromEntries(fields),
  })
}

/** @param {string} source */
function format(source) {
  const biome = [
    tool('@biomejs/biome/bin/biome'),
    'check',
    '--write',
    '--stdin-file-path=src/agent/api.ts',
  ]
  const { stdout, stderr, status } = spawnSync(process.execPath, biome, {
    cwd: root,
    input: source,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
  return stdout
}
