import { Refusal } from '../../core/errors.js'
import type { Limits } from '../../core/limits.js'
import type { Oid } from '../../core/oid.js'
import { isOid } from '../../core/oid.js'
import type { OpResult, Receipt, ReceiptFile, Warning } from '../../core/receipt.js'
import { type CommitFields, parseCommit } from '../../io/git/commit-object.js'
import type { TreeDifference } from '../../io/git/diff-trees.js'
import { gitText } from '../../io/git/run-git.js'
import { type CommitMessage, parseCommitMessage } from '../../report/commit-message.js'
import { buildDiffAnswer, type DiffFile, type StoredDiff } from '../../report/diff-answer.js'
import {
  parseEditTrailer,
  parseRebasedTrailer,
  parseWarningTrailer,
} from '../../report/edit-trailers.js'
import type { LogEntry, LoggedFile } from '../telling/answers.js'
import type { ServedRepository } from './served-repository.js'

/** A commit with its message taken apart. */
export interface HistoryCommit {
  readonly oid: Oid
  readonly fields: CommitFields
  readonly message: CommitMessage
}

/** Ids of first-parent commits from `to` back to `from` (without it), newest first, at most `limit`. */
export async function listCommits(
  served: ServedRepository,
  from: Oid,
  to: Oid,
  limit: number,
): Promise<readonly Oid[]> {
  const args = ['rev-list', '--first-parent', `--max-count=${limit}`, to, `^${from}`]
  const text = await gitText(served.repository.main, args)
  return text.split('\n').filter(isOid)
}

export async function readCommit(served: ServedRepository, oid: Oid): Promise<HistoryCommit> {
  const fields = parseCommit(await served.reader.commit(oid))
  return { oid, fields, message: parseCommitMessage(fields.message) }
}

/** One commit as it is told, read back from its trailers; the files from git. */
export async function logEntry(served: ServedRepository, commit: HistoryCommit): Promise<LogEntry> {
  const { fields, message, oid } = commit
  const value = (key: string): string | undefined => trailer(message, key)
  const key = value('Editlatch-Key')?.split(' ')[0]
  const intent = value('Editlatch-Intent')
  const model = value('Editlatch-Model')
  const parent = fields.parents[0]
  return {
    commit: oid,
    parent: parent ?? served.zero,
    subject: message.subject,
    time: new Date(fields.committer.seconds * 1000).toISOString(),
    agent: value('Editlatch-Agent') ?? fields.author.name,
    source: sourceOf(message),
    ...(key !== undefined && { key }),
    ...(intent !== undefined && { intent }),
    ...(model !== undefined && { model }),
    files: parent === undefined ? [] : (await differences(served, parent, oid)).map(loggedFile),
    ops: opsOf(message),
    warnings: warningsOf(message),
  }
}

/** The receipt of a batch that was committed before, with patches as git makes them. */
export async function receiptOf(
  served: ServedRepository,
  commit: HistoryCommit,
  limits: Limits,
): Promise<Receipt> {
  const { fields, message, oid } = commit
  const parent = fields.parents[0] ?? oid
  const stored = await storedDiffs(served, parent, oid)
  const { files } = buildDiffAnswer(stored, { from: parent, to: oid, full: true }, limits)
  return {
    commit: oid,
    parent,
    files: files.map((file, index) => ({
      ...receiptFile(file, stored[index]),
      ...rebasedOf(message, file.path),
    })),
    ops: opsOf(message),
    warnings: warningsOf(message),
    already_applied: false,
    dry_run: false,
  }
}

/** As the receipt told it: no lines of a file that is gone, and the mode where it is news. */
function receiptFile(file: DiffFile, stored: StoredDiff | undefined): ReceiptFile {
  if (file.status === 'deleted' || stored === undefined) return { ...file, ranges: [] }
  const usual = file.before_rev === null ? '100644' : stored.old_mode
  return stored.new_mode === usual ? file : { ...file, mode: stored.new_mode }
}

/** What differs between two commits, with patches; what is too large for those is told by name alone. */
export async function storedDiffs(
  served: ServedRepository,
  from: Oid,
  to: Oid,
): Promise<readonly StoredDiff[]> {
  const [before, after] = [(await served.treeOf(from)).root, (await served.treeOf(to)).root]
  try {
    return (await served.differ.patches(before, after)).map(storedDiff)
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'TOO_LARGE') throw error
    return (await served.differ.list(before, after)).map(undescribed)
  }
}

/** The files that differ between two commits, without patches. */
export async function differences(
  served: ServedRepository,
  from: Oid,
  to: Oid,
): Promise<readonly TreeDifference[]> {
  const [before, after] = [(await served.treeOf(from)).root, (await served.treeOf(to)).root]
  return served.differ.list(before, after)
}

/** The value of the last trailer of a key. */
export function trailer(message: CommitMessage, key: string): string | undefined {
  return message.trailers.findLast(one => one.key === key)?.value
}

function sourceOf(message: CommitMessage): LogEntry['source'] {
  if (trailer(message, 'Editlatch-Source') === 'external') return 'external'
  return trailer(message, 'Editlatch-Batch') === undefined ? 'foreign' : 'batch'
}

function opsOf(message: CommitMessage): readonly OpResult[] {
  return message.trailers
    .filter(({ key }) => key === 'Editlatch-Edit')
    .flatMap(({ value }) => parseEditTrailer(value) ?? [])
    .map(({ before: _before, after: _after, ...rest }, index) => ({ index, ...rest }))
}

function warningsOf(message: CommitMessage): readonly Warning[] {
  return message.trailers
    .filter(({ key }) => key === 'Editlatch-Warning')
    .flatMap(({ value }) => parseWarningTrailer(value) ?? [])
}

function rebasedOf(message: CommitMessage, path: string): { readonly rebased_from?: Oid } {
  const rebased = message.trailers
    .filter(({ key }) => key === 'Editlatch-Rebased')
    .map(({ value }) => parseRebasedTrailer(value))
    .find(one => one?.path === path)
  return rebased === undefined ? {} : { rebased_from: rebased.from }
}

function loggedFile({ path, from, status, before, after }: TreeDifference): LoggedFile {
  return {
    path,
    ...(from !== undefined && { from }),
    status,
    before_rev: before ?? null,
    after_rev: after ?? null,
  }
}

function storedDiff(difference: TreeDifference): StoredDiff {
  const { patch } = difference
  return { ...undescribed(difference), patch, binary: patch.includes(0) }
}

/** A difference without its patch. */
function undescribed(difference: TreeDifference): StoredDiff {
  const { path, from, status, oldMode, newMode } = difference
  return {
    path,
    ...(from !== undefined && { from }),
    status,
    before_rev: difference.before ?? null,
    after_rev: difference.after ?? null,
    old_mode: oldMode,
    new_mode: newMode,
    patch: undefined,
    binary: false,
  }
}
