import type { Oid } from '../../core/oid.js'
import type { Trailer } from '../../report/commit-message.js'
import { parseEditTrailer } from '../../report/edit-trailers.js'

/** One file that a commit changed, as the second reader finds it. */
export interface FileChange {
  readonly path: string
  readonly before: Oid | null
  readonly after: Oid | null
}

/** A trailer whose revisions are not what the trees hold. */
interface Lie {
  readonly path: string
  readonly expected: string
  readonly actual: string
}

/** Compares the revisions in `Editlatch-Edit` trailers with what the commit changed in its trees. */
export function checkTrailers(
  trailers: readonly Trailer[],
  changes: readonly FileChange[],
): { readonly checked: number; readonly problems: readonly Lie[] } {
  const edits = trailers.filter(({ key }) => key === 'Editlatch-Edit')
  return { checked: edits.length, problems: edits.flatMap(({ value }) => lieOf(value, changes)) }
}

function lieOf(value: string, changes: readonly FileChange[]): readonly Lie[] {
  const edit = parseEditTrailer(value)
  if (edit === undefined) return [{ path: '', expected: 'a trailer', actual: value.slice(0, 500) }]
  const { path, before, after } = edit
  const change = changes.find(one => one.path === path)
  // Revisions are `-` where the batch left the path as it was.
  if (before === null && after === null && /^(?:"(?:[^"\\]|\\.)*"|\S+) - /.test(value)) {
    return change === undefined ? [] : [lie(path, change, value)]
  }
  const fits =
    change !== undefined &&
    (change.before === before || (change.before === null && isGone(changes, before))) &&
    (change.after === after || (change.after === null && isNew(changes, after)))
  return fits ? [] : [lie(path, change, value)]
}

/** A moved file is told by one path; its revisions stand at two. */
function isGone(changes: readonly FileChange[], rev: string | null): boolean {
  return changes.some(change => change.after === null && change.before === rev)
}

function isNew(changes: readonly FileChange[], rev: string | null): boolean {
  return changes.some(change => change.before === null && change.after === rev)
}

function lie(path: string, change: FileChange | undefined, value: string): Lie {
  const expected =
    change === undefined ? '-' : `${change.before ?? 'new'}..${change.after ?? 'deleted'}`
  return { path, expected, actual: value.slice(0, 500) }
}
