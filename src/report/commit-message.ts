import { type Change, type ChangeStatus, changeStatus } from '../core/change.js'
import type { OpResult } from '../core/receipt.js'
import { counted } from './counted.js'

/** One `Key: value` line at the end of a commit message. Our keys begin with `Editlatch-`. */
export interface Trailer {
  readonly key: string
  readonly value: string
}

/** A commit message taken apart. */
export interface CommitMessage {
  readonly subject: string
  readonly body: string
  readonly trailers: readonly Trailer[]
}

const subjectChars = 72

/**
 * The message of a batch: a subject of at most 72 characters (made from what the batch did where
 * the agent gave none), the rest as body, our trailers last. Nothing an agent writes can pass for
 * a trailer or hide ours from git.
 */
export function formatCommitMessage(input: {
  readonly message?: string
  readonly ops: readonly OpResult[]
  readonly changes: readonly Change[]
  readonly trailers: readonly Trailer[]
}): string {
  const lines = messageLines(input.message ?? '')
  const [first = madeSubject(input.changes, input.ops), ...rest] = lines
  const { head, tail } = cutSubject(first)
  const body = [...tail, ...rest].join('\n').replace(/^\n+/, '')
  const trailers = input.trailers.map(trailerLine).join('\n')
  return `${[head, body, trailers].filter(part => part !== '').join('\n\n')}\n`
}

/**
 * Reads our trailers back. Only the last paragraph counts, and only if it holds nothing but
 * trailers: stricter than git, which lets other lines stand among them.
 */
export function parseCommitMessage(text: string): CommitMessage {
  const lines = text.replaceAll('\r\n', '\n').trim().split('\n')
  const start = lines.findLastIndex(isBlank) + 1
  const block = start === 0 ? [] : (parseTrailerBlock(lines.slice(start)) ?? [])
  const trailers = block.filter(({ key }) => key.startsWith('Editlatch-'))
  const told = trailers.length === 0 ? lines : lines.slice(0, start)
  const subjectEnd = told.findIndex(isBlank)
  const [subject, body] =
    subjectEnd < 0 ? [told, []] : [told.slice(0, subjectEnd), told.slice(subjectEnd)]
  return { subject: subject.join(' '), body: body.join('\n').trim(), trailers }
}

function messageLines(message: string): string[] {
  const text = withoutControls(message)
    .split('\n')
    .map(line => line.trimEnd())
    .join('\n')
    .trim()
  return text === '' ? [] : text.split('\n').map(harmlessLine)
}

/** Well-formed text with LF endings and, of all control characters, only tabs and line breaks. */
function withoutControls(text: string): string {
  return (
    text
      .toWellFormed()
      .replace(/\r\n?/g, '\n')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
      .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')
  )
}

/** Git ends a message at `---` and at its scissors line, and trailers after that would be lost. */
function harmlessLine(line: string): string {
  return /^(?:---(?:\s|$)|.*-{24} >8 -{24}|editlatch-)/is.test(line) ? ` ${line}` : line
}

function cutSubject(line: string): { readonly head: string; readonly tail: readonly string[] } {
  const chars = [...line]
  if (chars.length <= subjectChars) return { head: line, tail: [] }
  const space = chars.lastIndexOf(' ', subjectChars - 1)
  const end = space > subjectChars / 2 ? space : subjectChars - 1
  return {
    head: `${chars.slice(0, end).join('').trimEnd()}…`,
    tail: [`…${chars.slice(end).join('').trim()}`],
  }
}

const verbs: Readonly<Record<ChangeStatus, string>> = {
  added: 'Create',
  modified: 'Edit',
  deleted: 'Delete',
  renamed: 'Move',
}

function madeSubject(changes: readonly Change[], ops: readonly OpResult[]): string {
  const [change, ...others] = changes
  if (change === undefined) return `Edit ${pathsText(new Set(ops.map(op => op.path)))}`
  if (others.length === 0) {
    const to = change.from === undefined ? '' : ` to ${change.path}`
    return `${verbs[changeStatus(change)]} ${change.from ?? change.path}${to}`
  }
  const [verb, ...otherVerbs] = new Set(changes.map(each => verbs[changeStatus(each)]))
  return `${otherVerbs.length === 0 ? verb : 'Edit'} ${counted(changes.length, 'file')}`
}

function pathsText(paths: ReadonlySet<string>): string {
  const [path, ...others] = paths
  return path !== undefined && others.length === 0 ? path : counted(paths.size, 'file')
}

function trailerLine({ key, value }: Trailer): string {
  return `${key}: ${withoutControls(value)
    .replace(/[\n\t]+/g, ' ')
    .trim()}`
}

function isBlank(line: string): boolean {
  return /^[ \t\r]*$/.test(line)
}

/** The trailers of a paragraph, folded lines joined; undefined where any line is something else. */
function parseTrailerBlock(lines: readonly string[]): readonly Trailer[] | undefined {
  const trailers: Trailer[] = []
  for (const line of lines) {
    if (line.startsWith('(cherry picked from commit ')) continue
    const last = trailers.at(-1)
    if (/^[ \t]/.test(line)) {
      if (last === undefined) return undefined
      trailers[trailers.length - 1] = { ...last, value: `${last.value} ${line.trim()}`.trim() }
      continue
    }
    const [, key, value] = /^([A-Za-z0-9-]+)[ \t]*:(.*)$/s.exec(line) ?? []
    if (key === undefined || value === undefined) return undefined
    trailers.push({ key, value: value.trim() })
  }
  return trailers
}
