import { parse as parseToml, TomlError } from 'smol-toml'
import type { ClientFileEntry } from '../../core/client-file.js'
import {
  eolOf,
  isObject,
  type Merged,
  refuseMerge,
  refuseOdd,
  refuseOther,
  sameValue,
  withValue,
} from './merged.js'

/** The value of a text of TOML. */
export function readToml(text: string): unknown {
  try {
    return parseToml(text)
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    return refuseMerge(`line ${error.line} is not TOML`, { expected: 'TOML' })
  }
}

/**
 * Puts tables into a text of TOML, behind all others. Everything else stays as it is. Refuses with `INVALID_SETTINGS`
 * what is not TOML and, unless forced, to replace what differs; and whatever would say something else afterwards.
 */
export function mergeToml(
  text: string,
  entries: readonly ClientFileEntry[],
  force: boolean,
): Merged {
  let merged: Merged = { text, outcome: 'unchanged' }
  for (const entry of entries) {
    const next = mergeTable(merged.text, entry, force)
    if (next.outcome !== 'unchanged') merged = next
  }
  return merged
}

function mergeTable(text: string, { at, value }: ClientFileEntry, force: boolean): Merged {
  const before = readToml(text)
  const key = at.join('.')
  const known = at.reduce<unknown>(
    (inner, name) => (isObject(inner) ? inner[name] : undefined),
    before,
  )
  if (known !== undefined && sameValue(known, value)) return { text, outcome: 'unchanged' }
  if (known !== undefined && !force) refuseOther(key)
  const eol = eolOf(text)
  const rest = known === undefined ? text : withoutTable(text, at)
  const table = printTable(at, value).join(eol)
  const changed = `${rest.trimEnd() === '' ? '' : `${ended(rest, eol)}${eol}`}${table}${eol}`
  if (!says(changed, withValue(before, at, value))) refuseOdd(key)
  return { text: changed, outcome: known === undefined ? 'added' : 'replaced' }
}

function ended(text: string, eol: string): string {
  return text.endsWith('\n') ? text : text + eol
}

/** True where a text is TOML that says exactly this. */
function says(text: string, value: unknown): boolean {
  try {
    return sameValue(parseToml(text), value)
  } catch (error) {
    if (error instanceof TomlError) return false
    throw error
  }
}

/** A table of texts and lists of texts, as JSON and TOML write them alike. */
function printTable(at: readonly string[], value: ClientFileEntry['value']): readonly string[] {
  const lines = Object.entries(value).map(([name, one]) => `${name} = ${printValue(one)}`)
  return [`[${at.join('.')}]`, ...lines]
}

function printValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(printValue).join(', ')}]`
  return JSON.stringify(value).replaceAll('\u007f', '\\u007f')
}

/** The text without a table and the tables in it; what stands before the next one belongs to that. */
function withoutTable(text: string, at: readonly string[]): string {
  const lines = text.split(/(?<=\n)/)
  const kept: string[] = []
  let gone: string[] | undefined
  for (const line of lines) {
    if (/^\s*\[/.test(line)) {
      kept.push(...trailingRemarks(gone ?? []))
      gone = leadsTo(line, at) ? [] : undefined
    }
    if (gone === undefined) kept.push(line)
    else gone.push(line)
  }
  return [...kept, ...trailingRemarks(gone ?? [])].join('')
}

function trailingRemarks(lines: readonly string[]): readonly string[] {
  const last = lines.findLastIndex(line => !/^(?:#.*)?$/.test(line.trim()))
  return lines.slice(last + 1)
}

/** True for the header of a table at a place, or of one in it. */
function leadsTo(header: string, at: readonly string[]): boolean {
  const [, inside = ''] = /^\s*\[+([^\]]*)\]/.exec(header) ?? []
  const names = inside.split('.').map(name => name.trim().replace(/^(["'])(.*)\1$/, '$2'))
  return at.every((name, depth) => names[depth] === name)
}
