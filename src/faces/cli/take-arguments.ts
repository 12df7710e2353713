import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { Argument, type Command as Subcommand } from 'commander'
import { describeField, fieldKind, fieldsIn, fromText, isRequired } from '../../commands/bind.js'
import type { Command } from '../../commands/command.js'
import { parseDocument, parseTextBody } from '../../commands/parse-document.js'
import { Refusal } from '../../core/errors.js'
import { defaultLimits } from '../../core/limits.js'
import type { Terminal } from './terminal.js'

type Fields = Readonly<Record<string, unknown>>

/** Gives a subcommand an argument or an option for each input field that a command line can say. */
export function addFields(subcommand: Subcommand, command: Command): void {
  for (const field of command.positionals) {
    const named = fieldKind(command, field) === 'texts' ? `${kebab(field)}...` : kebab(field)
    const name = isRequired(command, field) ? `<${named}>` : `[${named}]`
    subcommand.addArgument(new Argument(name, describeField(command, field)))
  }
  for (const field of optionFields(command)) {
    const kind = fieldKind(command, field)
    const value = kind === 'boolean' ? '' : kind === 'texts' ? ' <value...>' : ' <value>'
    const flags = `--${kebab(field)}${value}`
    if (isRequired(command, field)) subcommand.requiredOption(flags, describeField(command, field))
    else subcommand.option(flags, describeField(command, field))
  }
  if (bodyField(command) !== undefined) {
    subcommand.option('--file <file>', 'read the body from here instead of standard input')
  }
}

/** The input of a command: its body first, then what the arguments and options say. */
export async function takeArguments(
  terminal: Terminal,
  command: Command,
  args: readonly unknown[],
  options: Fields,
): Promise<Fields> {
  const body = await takeBody(terminal, command, options)
  const positional = command.positionals.map((field, at) => [field, args[at]] as const)
  const named = optionFields(command).map(field => [field, options[camel(field)]] as const)
  const given = [...positional, ...named].filter(([, value]) => isGiven(value))
  const values = given.map(([field, value]) => [
    field,
    typeof value === 'string' ? fromText(fieldKind(command, field), value) : value,
  ])
  return { ...body, ...Object.fromEntries(values) }
}

/** A list of arguments that nothing was said for is empty. */
function isGiven(value: unknown): boolean {
  return value !== undefined && !(Array.isArray(value) && value.length === 0)
}

async function takeBody(terminal: Terminal, command: Command, options: Fields): Promise<Fields> {
  const field = bodyField(command)
  if (field === undefined) return {}
  const { file } = options
  const source =
    typeof file === 'string' ? createReadStream(resolve(terminal.cwd, file)) : terminal.stdin
  const bytes = await readAll(source)
  const [text] = fieldsIn(command, 'text-body')
  if (text !== undefined && command.readsText?.(options)) return { [text]: parseTextBody(bytes) }
  return fieldKind(command, field) === 'bytes' ? { [field]: bytes } : parseDocument(command, bytes)
}

async function readAll(input: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of input) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > defaultLimits.bodyBytes) {
      throw new Refusal('TOO_LARGE', { limit_bytes: defaultLimits.bodyBytes })
    }
  }
  return Buffer.concat(chunks)
}

/** The field that needs a body: bytes, or anything that only JSON can say. */
function bodyField(command: Command): string | undefined {
  return Object.keys(command.bind).find(field => isBody(command, field))
}

function optionFields(command: Command): readonly string[] {
  // --repo says which repository to work in, for every command alike.
  const apart = [...command.positionals, 'repo']
  return Object.keys(command.bind).filter(
    field => !apart.includes(field) && !isBody(command, field),
  )
}

function isBody(command: Command, field: string): boolean {
  const kind = fieldKind(command, field)
  return kind === 'bytes' || kind === 'document' || isTextBody(command, field)
}

function isTextBody(command: Command, field: string): boolean {
  return fieldsIn(command, 'text-body').includes(field)
}

function kebab(field: string): string {
  return field.replaceAll('_', '-')
}

function camel(field: string): string {
  return field.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}
