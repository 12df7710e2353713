import type { ChangeStatus } from '../core/change.js'
import { shortOid } from '../core/oid.js'
import type { LineRange, OpResult, Receipt, SyntaxVerdict, Warning } from '../core/receipt.js'
import type { DiffAnswer } from './diff-answer.js'
import { joinLines } from './join-lines.js'

const letters: Readonly<Record<ChangeStatus, string>> = {
  added: 'A',
  modified: 'M',
  deleted: 'D',
  renamed: 'R',
}

/** A receipt as compact text: the commit, each file with its new revision and what is shown of it, ops that did more than was said, warnings. */
export function renderReceiptText(receipt: Receipt): string {
  return joinLines([
    outcome(receipt),
    ...receipt.files.map(fileText),
    ...receipt.ops.filter(isNews).map(opText),
    ...receipt.warnings.map(warningText),
  ])
}

/** A batch of a log as compact text: what it was for on one line, then why, and its first files with their revisions. */
export function renderLogEntryText(entry: LoggedBatch): string {
  const { commit, time, source, subject, intent, files } = entry
  const more = files.length - loggedFiles
  return [
    `${shortOid(commit)} ${time} ${source} ${subject}`,
    ...(intent === undefined ? [] : [`  why: ${intent}`]),
    ...files.slice(0, loggedFiles).map(({ path, from, status, after_rev: rev }) => {
      const name = from === undefined ? path : `${from} -> ${path}`
      return `  ${status} ${name}${rev === null ? '' : ` ${shortOid(rev)}`}`
    }),
    ...(more > 0 ? [`  (${more} more files)`] : []),
  ].join('\n')
}

/** Files of one batch that a log shows as text. */
const loggedFiles = 10

/** A diff answer as compact text: the summary, then each file with its patch. */
export function renderDiffText(answer: DiffAnswer): string {
  return joinLines([
    answer.summary,
    ...answer.files.map(fileText),
    answer.next === undefined ? '' : `cut here: ask for single paths, from ${answer.next} on`,
  ])
}

/** A refusal's JSON as text: code and sentence, what to do, then each field of its data. */
export function renderRefusalText(json: Readonly<Record<string, unknown>>): string {
  const { code, status, message, next_action: nextAction, ...data } = json
  return joinLines([
    `${code}: ${message}`,
    ...(nextAction === undefined ? [] : [`next_action: ${nextAction}`]),
    ...Object.entries(data).map(([name, value]) =>
      name === 'failures' && Array.isArray(value)
        ? otherFailures(value)
        : fieldText(name, value ?? null),
    ),
  ])
}

/** The first failure of a batch is what its refusal tells already. */
function otherFailures([, ...others]: readonly unknown[]): string {
  return ['other failures:', ...others.map(failure => JSON.stringify(failure))].join('\n')
}

interface LoggedBatch {
  readonly commit: string
  readonly time: string
  readonly source: string
  readonly subject: string
  readonly intent?: string
  readonly files: readonly {
    readonly path: string
    readonly from?: string
    readonly status: string
    readonly after_rev: string | null
  }[]
}

function outcome(receipt: Receipt): string {
  if (receipt.already_applied) return 'already applied, nothing to change'
  if (receipt.commit === null) return `dry run on ${shortOid(receipt.parent)}, nothing was written`
  return `commit ${shortOid(receipt.commit)}`
}

/** Short values on the line of their name, longer text below it. */
function fieldText(name: string, value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.includes('\n') ? `${name}:\n${text}` : `${name}: ${text}`
}

interface ReportedFile {
  readonly path: string
  readonly from?: string
  readonly status: ChangeStatus
  readonly after_rev: string | null
  readonly rebased_from?: string
  readonly ranges: readonly LineRange[]
  readonly syntax?: SyntaxVerdict
  readonly patch?: string
  readonly patch_truncated?: true
  readonly anchored?: string
  readonly anchored_truncated?: true
}

function fileText(file: ReportedFile): string {
  const name = file.from === undefined ? file.path : `${file.from} -> ${file.path}`
  const words = [letters[file.status], name]
  if (file.after_rev !== null) words.push(shortOid(file.after_rev))
  if (file.rebased_from !== undefined) words.push(`rebased from ${shortOid(file.rebased_from)}`)
  if (file.ranges.length > 0) words.push(`L${rangesText(file.ranges)}`)
  if (file.syntax !== undefined) words.push(`syntax: ${file.syntax}`)
  if (file.patch_truncated) words.push('(patch left out)')
  const parts = [words.join(' '), withoutEnd(file.patch), withoutEnd(file.anchored)]
  if (file.anchored_truncated) parts.push('(further anchors left out)')
  return parts.filter(part => part !== '').join('\n')
}

function withoutEnd(text = ''): string {
  return text.replace(/\n$/, '')
}

/** What an op found word for word, its file's ranges tell. */
function isNews({ level = 'exact', reindented }: OpResult): boolean {
  return level !== 'exact' || reindented === true
}

function opText(op: OpResult): string {
  const words = [`#${op.index}`, op.op, op.path]
  if (op.level !== undefined) words.push(op.level)
  if (op.similarity !== undefined) words.push(`${op.similarity}`)
  if (op.reindented) words.push('reindented')
  if (op.lines?.length) words.push(`L${rangesText(op.lines)}`)
  if (op.new_lines?.length) words.push(`-> L${rangesText(op.new_lines)}`)
  return words.join(' ')
}

function warningText({ code, op, path, line, uncertain }: Warning): string {
  const place = [...(op === undefined ? [] : [`#${op}`]), ...(path === undefined ? [] : [path])]
  const where = line === undefined ? [] : [`L${line}`]
  const doubt = uncertain ? ['(may be right: a macro, perhaps)'] : []
  return ['warning:', code, ...place, ...where, ...doubt].join(' ')
}

function rangesText(ranges: readonly LineRange[]): string {
  return ranges.map(rangeText).join(',')
}

/** Where lines were only taken away, the line that now follows. */
function rangeText({ start, end }: LineRange): string {
  if (end < start) return `<${start}`
  return start === end ? `${start}` : `${start}-${end}`
}
