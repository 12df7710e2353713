import type { Batch } from '../core/batch.js'
import { isRegular } from '../core/blob.js'
import type { Change } from '../core/change.js'
import { Draft } from '../core/draft.js'
import { Refusal } from '../core/errors.js'
import type { Limits } from '../core/limits.js'
import { defaultMatching, type Matching, tighten } from '../core/matching.js'
import type { Parsers } from '../core/parsers.js'
import type { OpResult, Warning } from '../core/receipt.js'
import type { RepoPath } from '../core/repo-path.js'
import type { Tree } from '../core/tree.js'
import { diffEdits } from '../formats/text/diff-edits.js'
import { applyOps, type Work } from './apply-ops.js'
import { type Failure, refuseBatch } from './failures.js'
import type { Op } from './ops/registry.js'
import { reportOps, warnOfRewrites } from './report-ops.js'
import { targetsOf } from './targets.js'

export interface ResolveOptions {
  readonly limits: Limits
  /** How leniently text may be found here; a batch can only ask for less. */
  readonly matching?: Matching
  /** Globs of protected paths that may be edited here. */
  readonly allowProtected: readonly string[]
  /** The files of `batch.expectedHead`. */
  readonly expectedTree?: Tree
  /** Tells what a text declares; without it ops on symbols are refused. */
  readonly parsers?: Parsers
  /** Called now and then while much text is looked through, so that others have their turn. */
  readonly pause?: () => Promise<void>
}

export interface Resolution {
  /** Sorted by path; empty where the batch changes nothing. */
  readonly changes: readonly Change[]
  readonly ops: readonly OpResult[]
  readonly warnings: readonly Warning[]
}

/** Works a batch out in memory: what it changes in the tree, or one refusal that names every edit that failed. */
export async function resolve(
  batch: Batch<Op>,
  tree: Tree,
  options: ResolveOptions,
): Promise<Resolution> {
  const { limits, allowProtected, pause } = options
  const expectedTree = batch.expectedHead === undefined ? undefined : options.expectedTree
  if (batch.expectedHead !== undefined && expectedTree === undefined) {
    throw new TypeError('a batch with an expected head needs the tree of it')
  }
  const work = await applyOps(batch.ops, new Draft(tree), {
    limits,
    matching: tighten(options.matching ?? defaultMatching, batch.matching ?? {}),
    allowProtected,
    tree,
    expectedTree,
    pause,
    parsers: options.parsers,
  })
  refuse([...work.failures, ...(await pathConflicts(batch.ops, work))])
  const changes = (await work.draft.changes()).map(change => withEdits(change, limits))
  refuse(oversized(batch.ops, changes, limits))
  return {
    changes,
    ops: await reportOps(batch.ops, work),
    warnings: await warnOfRewrites(batch.ops, work, changes),
  }
}

function refuse(failures: readonly Failure[]): void {
  const refusal = refuseBatch(failures)
  if (refusal !== undefined) throw refusal
}

/** Judged on the last draft. While a move or a delete has failed nobody can tell what would have been in the way. */
async function pathConflicts(ops: readonly Op[], work: Work): Promise<readonly Failure[]> {
  const isTellable = work.failures.every(({ op }) => op !== 'move_file' && op !== 'delete_file')
  if (!isTellable) return []
  const conflicts = await work.draft.conflicts()
  return conflicts.flatMap(({ path, obstacle }) =>
    failureAt(ops, path, new Refusal('PATH_EXISTS', { path, obstacle })),
  )
}

function oversized(
  ops: readonly Op[],
  changes: readonly Change[],
  { fileBytes: limit }: Limits,
): readonly Failure[] {
  return changes.flatMap(({ path, after }) => {
    const actual = after?.bytes.length ?? 0
    if (actual <= limit) return []
    return failureAt(ops, path, new Refusal('TOO_LARGE', { what: 'file', limit, actual }))
  })
}

/** A failure of the last op that put something at the path. */
function failureAt(ops: readonly Op[], path: RepoPath, refusal: Refusal): readonly Failure[] {
  const index = ops.findLastIndex(op => targetsOf(op).includes(path))
  const op = ops[index]
  return op === undefined ? [] : [{ index, op: op.op, path, refusal, said: op.said }]
}

/** Where nobody knows how the text came about, as after write_file, it is compared line by line. */
export function withEdits(change: Change, { diffLines }: Pick<Limits, 'diffLines'>): Change {
  const { before, after, edits } = change
  if (before === undefined || after === undefined || edits !== undefined) return change
  if (!isRegular(before.mode) || !isRegular(after.mode)) return change
  const compared = diffEdits(before.bytes, after.bytes, diffLines)
  return compared === undefined ? change : { ...change, edits: compared }
}
