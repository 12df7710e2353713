import type { ChangeStatus } from './change.js'
import type { Oid } from './oid.js'

/** How strictly the text of an op was found, strictest first. */
export const matchLevels = [
  'exact',
  'trailing_whitespace',
  'line_trimmed',
  'whitespace_normalised',
  'indentation_flexible',
  'unicode_normalised',
  'block_anchor',
] as const

export type MatchLevel = (typeof matchLevels)[number]

/** Lines from 1, both ends included; an empty range has `end = start - 1`. */
export interface LineRange {
  readonly start: number
  readonly end: number
}

/** How the text of an op was found. */
export interface MatchReport {
  readonly level?: MatchLevel
  /** At `block_anchor`: how much alike the middle of the block is, from 0 to 1. */
  readonly similarity?: number
  /** The new text was indented as the place it went to. */
  readonly reindented?: true
}

/** What one op did. `lines` are the lines it touched before, `new_lines` those it left, each in the file as the whole batch found and left it. */
export interface OpResult extends MatchReport {
  readonly index: number
  readonly op: string
  readonly path: string
  readonly lines?: readonly LineRange[]
  readonly new_lines?: readonly LineRange[]
}

export interface Warning {
  readonly code: WarningCode
  readonly path?: string
  readonly op?: number
  /** The line of the new file that it is about. */
  readonly line?: number
  /** The text may be right all the same: it may be a macro, or only delimiters were counted. */
  readonly uncertain?: true
}

/**
 * What a receipt may warn of, though the batch was done. `file_kept`: somebody wrote the file at the last moment; it
 * keeps those bytes and differs from the commit. `worktree_behind`: the commit stands, files or index follow later.
 */
export const warningCodes = [
  'near_rewrite',
  'would_be_renormalised',
  'external_changes_committed',
  'file_kept',
  'worktree_behind',
  'introduces_syntax_error',
] as const

export type WarningCode = (typeof warningCodes)[number]

/** What a batch did to the syntax of a file. `broken_before`: it has errors, but not more than it had. */
export type SyntaxVerdict = 'ok' | 'broken_before' | 'introduces_syntax_error' | 'unchecked'

export interface ReceiptFile {
  readonly path: string
  readonly from?: string
  readonly status: ChangeStatus
  readonly before_rev: Oid | null
  readonly after_rev: Oid | null
  readonly mode?: string
  /** The older revision that the edit was made from and merged with what stood here. */
  readonly rebased_from?: Oid
  /** Changed lines of the new file. */
  readonly ranges: readonly LineRange[]
  /** Absent for files of no known language, where nobody checks, and in receipts read back from commits. */
  readonly syntax?: SyntaxVerdict
  readonly patch?: string
  readonly patch_truncated?: true
  /** In a worktree that is read with anchors: the changed lines and their neighbours with the anchors they have now. */
  readonly anchored?: string
  readonly anchored_truncated?: true
}

/** What a batch did; the answer to an edit. */
export interface Receipt {
  /** Null for a dry run and where nothing had to change. */
  readonly commit: Oid | null
  readonly parent: Oid
  readonly files: readonly ReceiptFile[]
  readonly ops: readonly OpResult[]
  readonly warnings: readonly Warning[]
  readonly already_applied: boolean
  readonly dry_run: boolean
}
