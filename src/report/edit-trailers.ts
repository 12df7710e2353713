import type { Change } from '../core/change.js'
import { isOid, type Oid } from '../core/oid.js'
import { cQuote, quotePath, unquotePath } from '../core/quote-path.js'
import {
  type LineRange,
  type MatchReport,
  matchLevels,
  type OpResult,
  type Warning,
  warningCodes,
} from '../core/receipt.js'
import type { Trailer } from './commit-message.js'

/**
 * What one `Editlatch-Edit` trailer tells:
 *
 *     <path> <before|new>..<after|deleted> <op> <level|-> [<similarity>] [reindented] [L<from>-<to>[,..]] [+<from>-<to>[,..]]
 *
 * `L` are the lines touched before, `+` those left after. A lone `-` for the revisions: the batch
 * left this path as it was. Of very many ranges only the first are kept.
 */
export interface EditTrailer extends MatchReport {
  readonly path: string
  readonly before: Oid | null
  readonly after: Oid | null
  readonly op: string
  readonly lines?: readonly LineRange[]
  readonly new_lines?: readonly LineRange[]
}

/** A change whose new blob has its id. */
export type HashedChange = Change & { readonly afterOid?: Oid }

const keptRanges = 100

/** One `Editlatch-Edit` per op and one `Editlatch-Warning` per warning: the receipt as the commit keeps it. */
export function editTrailers(
  changes: readonly HashedChange[],
  ops: readonly OpResult[],
  warnings: readonly Warning[],
): Trailer[] {
  return [
    ...ops.map(op => ({ key: 'Editlatch-Edit', value: formatEdit(op, changes) })),
    ...changes.flatMap(({ path, rebasedFrom }) =>
      rebasedFrom === undefined
        ? []
        : [{ key: 'Editlatch-Rebased', value: `${pathWord(path)} ${rebasedFrom}` }],
    ),
    ...warnings.map(warning => ({ key: 'Editlatch-Warning', value: formatWarning(warning) })),
  ]
}

/** Reads the value of an `Editlatch-Edit`; undefined where it is not one. */
export function parseEditTrailer(value: string): EditTrailer | undefined {
  const groups = editPattern.exec(value)?.groups
  if (groups === undefined) return undefined
  const { name = '', before, after, op = '' } = groups
  const path = unquotePath(name)
  if (path === undefined) return undefined
  const level = matchLevels.find(known => known === groups.level)
  const lines = parseRanges(groups.lines)
  const newLines = parseRanges(groups.newLines)
  return {
    path,
    before: oidOrNull(before),
    after: oidOrNull(after),
    op,
    ...(level && { level }),
    ...(groups.similarity !== undefined && { similarity: Number(groups.similarity) }),
    ...(groups.reindented !== undefined && { reindented: true }),
    ...(lines && { lines }),
    ...(newLines && { new_lines: newLines }),
  }
}

/** Reads the value of an `Editlatch-Rebased`: `<path> <older revision>`; undefined where it is not one. */
export function parseRebasedTrailer(
  value: string,
): { readonly path: string; readonly from: Oid } | undefined {
  const { name: word = '', from = '' } = rebasedPattern.exec(value)?.groups ?? {}
  const path = unquotePath(word)
  return path !== undefined && isOid(from) ? { path, from } : undefined
}

/** Reads the value of an `Editlatch-Warning`: `<code> [#<op>] [<path> [L<line>] [uncertain]]`; undefined where it is not one. */
export function parseWarningTrailer(value: string): Warning | undefined {
  const groups = warningPattern.exec(value)?.groups
  const code = warningCodes.find(known => known === groups?.code)
  if (groups === undefined || code === undefined) return undefined
  const path = groups.name === undefined ? undefined : unquotePath(groups.name)
  return {
    code,
    ...(groups.op !== undefined && { op: Number(groups.op) }),
    ...(path !== undefined && { path }),
    ...(groups.line !== undefined && { line: Number(groups.line) }),
    ...(groups.uncertain !== undefined && { uncertain: true }),
  }
}

const name = String.raw`(?<name>"(?:[^"\\]|\\.)*"|[^\s"#]\S*)`
const revs = String.raw`(?:-|(?<before>new|[0-9a-f]{40,64})\.\.(?<after>deleted|[0-9a-f]{40,64}))`
const ranges = String.raw`\d+-\d+(?:,\d+-\d+)*(?:,\.\.)?`
const editPattern = new RegExp(
  `^${name} ${revs} (?<op>[a-z][a-z0-9_]*) (?<level>-|[a-z][a-z0-9_]*)(?: (?<similarity>[01](?:\\.\\d{1,2})?))?(?: (?<reindented>reindented))?(?: L(?<lines>${ranges}))?(?: \\+(?<newLines>${ranges}))?$`,
)
const rebasedPattern = new RegExp(`^${name} (?<from>[0-9a-f]{40,64})$`)
const warningPattern = new RegExp(
  `^(?<code>[a-z][a-z0-9_]*)(?: #(?<op>\\d+))?(?: ${name}(?: L(?<line>\\d+))?(?: (?<uncertain>uncertain))?)?$`,
)

function formatEdit(op: OpResult, changes: readonly HashedChange[]): string {
  const change =
    changes.find(({ path }) => path === op.path) ?? changes.find(({ from }) => from === op.path)
  const parts = [pathWord(op.path), formatRevs(change), op.op, op.level ?? '-']
  if (op.similarity !== undefined) parts.push(`${op.similarity}`)
  if (op.reindented) parts.push('reindented')
  if (op.lines?.length) parts.push(`L${formatRanges(op.lines)}`)
  if (op.new_lines?.length) parts.push(`+${formatRanges(op.new_lines)}`)
  return parts.join(' ')
}

function formatWarning({ code, op, path, line, uncertain }: Warning): string {
  const parts: string[] = [code]
  if (op !== undefined) parts.push(`#${op}`)
  if (path === undefined) return parts.join(' ')
  parts.push(pathWord(path))
  if (line !== undefined) parts.push(`L${line}`)
  if (uncertain) parts.push('uncertain')
  return parts.join(' ')
}

/** The path as one word: quoted as git does, and also where a space or `#` would mislead a reader. */
function pathWord(path: string): string {
  return /[ #]/.test(path) ? cQuote(path) : quotePath(path)
}

function formatRevs(change: HashedChange | undefined): string {
  if (change === undefined) return '-'
  if (change.after !== undefined && change.afterOid === undefined) {
    throw new Error('a committed blob has no id')
  }
  return `${change.before?.oid ?? 'new'}..${change.afterOid ?? 'deleted'}`
}

function formatRanges(all: readonly LineRange[]): string {
  const kept = all.slice(0, keptRanges).map(({ start, end }) => `${start}-${end}`)
  return [...kept, ...(all.length > keptRanges ? ['..'] : [])].join(',')
}

function parseRanges(text: string | undefined): readonly LineRange[] | undefined {
  if (text === undefined) return undefined
  return [...text.matchAll(/(\d+)-(\d+)/g)].map(([, start, end]) => ({
    start: Number(start),
    end: Number(end),
  }))
}

function oidOrNull(text: string | undefined): Oid | null {
  return text !== undefined && isOid(text) ? text : null
}
