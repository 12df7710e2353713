import type { Change } from '../core/change.js'
import type { LineRange, OpResult, Warning } from '../core/receipt.js'
import { limitRanges } from '../formats/text/line-ranges.js'
import type { Work } from './apply-ops.js'
import type { Op } from './ops/registry.js'
import { WorkingFile } from './ops/working-file.js'
import { targetsOf } from './targets.js'

/** Line ranges that one op may report. */
const reportedRanges = 64

/** A file of more lines of which more than this part is replaced was as good as written anew. */
const rewriteLines = 200
const rewriteShare = 0.8

/** What each op did, in the lines of the files as the batch found and left them. */
export async function reportOps(ops: readonly Op[], work: Work): Promise<readonly OpResult[]> {
  const newLines = await linesLeft(ops, work)
  return ops.map((op, index) => {
    const { level, similarity, reindented, lines } = work.applied.get(index) ?? {}
    const left = newLines.get(index)
    return {
      index,
      op: op.op,
      path: op.path,
      ...(level && { level }),
      ...(similarity !== undefined && { similarity }),
      ...(reindented && { reindented }),
      ...(lines && { lines: limitRanges(lines, reportedRanges) }),
      ...(left && { new_lines: limitRanges(left, reportedRanges) }),
    }
  })
}

/** Warns of ops that replaced nearly a whole file, which costs more and shows less than small edits. */
export async function warnOfRewrites(
  ops: readonly Op[],
  work: Work,
  changes: readonly Change[],
): Promise<readonly Warning[]> {
  const shares = new Map(
    [...work.applied].map(([index, { replacedShare }]) => [index, replacedShare ?? 0]),
  )
  for (const change of changes) {
    const file = await work.draft.read(change.path)
    if (file instanceof WorkingFile && file.writer !== undefined) {
      shares.set(file.writer, replacedShare(change))
    }
  }
  return ops.flatMap((op, index): readonly Warning[] =>
    (shares.get(index) ?? 0) > rewriteShare &&
    (work.applied.get(index)?.readLines ?? 0) > rewriteLines
      ? [{ code: 'near_rewrite', path: op.path, op: index }]
      : [],
  )
}

function replacedShare({ before, edits }: Change): number {
  if (before === undefined || edits === undefined) return 0
  const replaced = edits.reduce((sum, { from, to }) => sum + to - from, 0)
  return replaced / Math.max(before.bytes.length, 1)
}

async function linesLeft(
  ops: readonly Op[],
  work: Work,
): Promise<ReadonlyMap<number, readonly LineRange[]>> {
  const left = new Map<number, readonly LineRange[]>()
  for (const path of new Set(ops.flatMap(targetsOf))) {
    const file = await work.draft.read(path)
    if (!(file instanceof WorkingFile)) continue
    for (const [index, lines] of file.linesByOp()) left.set(index, lines)
  }
  return left
}
