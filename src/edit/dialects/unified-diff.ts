import type { FileMode } from '../../core/blob.js'
import type { Oid } from '../../core/oid.js'
import { checkOp } from '../ops/parse-edit.js'
import type { Op } from '../ops/registry.js'
import { defineTextDialect, unparsable } from './dialect.js'
import { type FileDiff, parseFileDiffs } from './file-diffs.js'
import { ladders } from './ladders.js'
import { atLine, type PathUse, requireDistinct } from './patch-lines.js'

/**
 * What `git diff` and `diff -u` print:
 *
 *     patch := prose (file)+
 *     file  := ["diff --git " old new extended*] ["--- " old "+++ " new hunk*]
 *     hunk  := "@@ -" start["," count] " +" start["," count] " @@" text? line*
 *     line  := (" " | "-" | "+") text ["\ No newline at end of file"]
 *
 * The prefixes a/ and b/ are taken off where both names have theirs (or the other is /dev/null), a
 * time after a tab is not read, names may be quoted as git quotes them. `/dev/null` creates and
 * deletes. Extended headers: modes, renames, `new file mode`, `deleted file mode`, and `index`, of
 * which full ids are the revision that is expected.
 *
 * A hunk stands at the line that it names, moved as the hunk before was, or else in the only place
 * where its lines stand exactly; there is no fuzz. New lines alone stand at the line they name. The
 * newline at the end of the file changes where the patch says so of one side only.
 *
 * Leniencies:
 * - prose before the first file, and what follows a `-- ` line, is passed over; blank lines too;
 * - an empty line in a hunk is an empty line of context;
 * - `@@` without line numbers: the lines must stand in the file once;
 * - counts that are wrong where the next hunk or file shows where the lines end; too few lines at
 *   the end of the patch are refused, for it may be cut off;
 * - CRLF: a patch whose own `@@` lines end with CRLF, or whose lines end otherwise than those of
 *   the file, takes the endings of the file, and so does one without CRLF whose old lines show none;
 *   in a file that mixes them CRLF must stand where it says.
 *
 * Refused with the line: copies, binary patches, links and submodules, two different names without
 * a rename, files without a hunk where nothing else is said of them.
 */
export const unifiedDiff = defineTextDialect({
  name: 'unified_diff',
  summary: 'A unified diff, as git diff prints it, of any number of files.',
  toOps: (text, { limits }) => {
    const diffs = parseFileDiffs(text)
    requireDistinct(diffs.flatMap(usesOf))
    return diffs.flatMap(diff =>
      atLine(diff.line, () =>
        opsOf(diff).map(op => checkOp({ ...op, said: { patch_line: diff.line } }, limits)),
      ),
    )
  },
})

function usesOf({ line, path, to, kind }: FileDiff): readonly PathUse[] {
  const isPlain = kind === 'change' && to === undefined
  return [path, ...(to === undefined ? [] : [to])].map(use => ({ path: use, line, isPlain }))
}

function opsOf(diff: FileDiff): readonly Op[] {
  const { path, kind, mode } = diff
  if (kind === 'create') return [creation(diff)]
  const rev = expectedRev(diff.oldOid)
  const lines: readonly Op[] =
    diff.hunks.length === 0
      ? []
      : [
          {
            op: 'apply_hunks',
            path,
            ...rev,
            hunks: diff.hunks,
            placing: 'by_number',
            levels: ladders.unified_diff,
            ...(kind === 'delete' && { empties: true }),
          },
        ]
  if (kind === 'delete') return [...lines, { op: 'delete_file', path, ...rev }]
  return [
    ...lines,
    ...(mode === undefined ? [] : [modeChange(diff, mode)]),
    ...(diff.to === undefined ? [] : [{ op: 'move_file', path, to: diff.to, ...rev } as const]),
  ]
}

function creation({ line, path, hunks, mode }: FileDiff): Op {
  const lines = hunks.flatMap(hunk => hunk.lines)
  if (hunks.length > 1 || lines.some(({ kind }) => kind !== 'added')) {
    throw unparsable(line, 'creates a file, so one hunk of added lines is all it can have')
  }
  const isOpen = hunks[0]?.openEnds?.new === true
  const broken = lines.map(({ text, hasCarriageReturn }, index) => {
    const ending = hasCarriageReturn ? '\r\n' : '\n'
    return isOpen && index === lines.length - 1 ? text : text + ending
  })
  return {
    op: 'write_file',
    path,
    expected_rev: null,
    text: broken.join(''),
    ...(mode === '100755' && { mode }),
  }
}

function modeChange({ path, oldOid }: FileDiff, mode: FileMode): Op {
  return { op: 'set_mode', path, ...expectedRev(oldOid), executable: mode === '100755' }
}

function expectedRev(oid: Oid | undefined): { readonly expected_rev?: Oid } {
  return oid === undefined ? {} : { expected_rev: oid }
}
