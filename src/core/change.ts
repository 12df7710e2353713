import type { Blob, FileContent } from './blob.js'
import type { Oid } from './oid.js'
import type { RepoPath } from './repo-path.js'
import type { TextEdit } from './text-edit.js'

/** What became of one path: created (no before), deleted (no after), moved (from), or changed. */
export interface Change {
  readonly path: RepoPath
  /** The old path of a moved file; `before` is then the blob that stood there. */
  readonly from?: RepoPath
  readonly before?: Blob
  readonly after?: FileContent
  /** Where the text changed, in bytes of `before`; absent where no text was compared (binary, created, deleted). */
  readonly edits?: readonly TextEdit[]
  /** The older blob that the change was made from, where it was merged with what stands now. */
  readonly rebasedFrom?: Oid
}

export type ChangeStatus = 'added' | 'modified' | 'deleted' | 'renamed'

/** The word git uses for a change. */
export function changeStatus(change: Change): ChangeStatus {
  if (change.after === undefined) return 'deleted'
  if (change.from !== undefined) return 'renamed'
  return change.before === undefined ? 'added' : 'modified'
}
