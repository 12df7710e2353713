import type { Matching } from './matching.js'
import type { Oid } from './oid.js'
import type { MatchLevel } from './receipt.js'
import type { RepoPath } from './repo-path.js'

/** What every op says, whatever it does. */
export interface OpBase {
  readonly op: string
  readonly path: RepoPath
  /** The blob id the file had when it was read; null: it must not exist; absent: said by another op or by the batch. */
  readonly expected_rev?: Oid | null
  /** Where a dialect was asked for it: the place of its edit in the list, or a line of its text. */
  readonly said?: { readonly edit: number } | { readonly patch_line: number }
  /** How its text may be found, where the dialect it was said in has levels of its own; never a field of JSON. */
  readonly levels?: readonly MatchLevel[]
  /** Its new text is meant as it stands, however much it looks like a slip. */
  readonly literal?: boolean
  /** A refusal that found nothing shows the file, where the dialect asks for that; never a field of JSON. */
  readonly onMiss?: 'show_file'
}

/** What becomes one commit. */
export interface Batch<O extends OpBase = OpBase> {
  readonly ops: readonly O[]
  /** A commit that vouches for every blob in it, instead of a rev per file. */
  readonly expectedHead?: Oid
  readonly message?: string
  /** One line that says why, kept in a trailer. */
  readonly intent?: string
  /** What to do where a file is no longer at the revision that was named; refused where absent. */
  readonly onConflict?: 'rebase'
  /** Refused where it would bring a syntax error into a file. */
  readonly mustBeValid?: boolean
  /** What the request asks of every search for text; it can only be stricter than the repository. */
  readonly matching?: Partial<Matching>
}
