import type { Batch } from '../../core/batch.js'
import { type Blob, isRegular } from '../../core/blob.js'
import type { Change } from '../../core/change.js'
import { Refusal } from '../../core/errors.js'
import type { Oid } from '../../core/oid.js'
import type { LineRange, OpResult } from '../../core/receipt.js'
import type { RepoPath } from '../../core/repo-path.js'
import { sameBytes } from '../../core/text-edit.js'
import type { Tree } from '../../core/tree.js'
import type { Op } from '../../edit/ops/registry.js'
import { expectedRevs } from '../../edit/precondition.js'
import { type Resolution, resolve } from '../../edit/resolve.js'
import { targetsOf } from '../../edit/targets.js'
import { diffEdits } from '../../formats/text/diff-edits.js'
import { mapLines } from '../../formats/text/map-lines.js'
import { mergeFile } from '../../io/git/merge-file.js'
import { overlayTree } from '../checkout/overlay-tree.js'
import { wasHere } from './conflict-patch.js'
import type { ResolveContext } from './resolve-context.js'

/** Blobs that stand in for what the files hold now, by path. */
type OlderFiles = ReadonlyMap<RepoPath, Blob>

/**
 * Resolves a batch whose files have changed since the revisions that it names: it is worked out on
 * those revisions, and each file that comes of it is merged line by line with what stands now.
 * `MERGE_CONFLICT` where both touched the same place or one of them took the file away; any other
 * refusal is that of the batch on the revisions it names. Undefined where no file is older.
 */
export async function rebaseBatch(
  batch: Batch<Op>,
  context: ResolveContext,
  expectedTree: Tree | undefined,
): Promise<Resolution | undefined> {
  const older = await olderFiles(batch, context, expectedTree)
  if (older.size === 0) return undefined
  const { tree, limits, matching, allowProtected } = context
  const onOlder = await resolve(batch, overlayTree(tree, older), {
    limits,
    matching,
    allowProtected,
    parsers: context.checkout.served.symbols,
    ...(expectedTree && { expectedTree }),
  }).catch(async error => {
    throw error instanceof Refusal ? await atCurrent(error, older, tree) : error
  })
  const merged = await Promise.all(
    onOlder.changes.map(change => mergeChange(change, older, context)),
  )
  return {
    changes: merged.flatMap(({ change }) => change ?? []),
    ops: onOlder.ops.map(op => moveLines(op, merged)),
    warnings: onOlder.warnings,
  }
}

/** A refusal tells the revision that a file has now, and beside it the one that the edit was tried on. */
async function atCurrent(refusal: Refusal, older: OlderFiles, tree: Tree): Promise<Refusal> {
  const tell = async (failure: Readonly<Record<string, unknown>>): Promise<object> => {
    const path = [...older.keys()].find(one => one === failure.path)
    const current = path && (await tree.read(path))
    return current === undefined
      ? failure
      : { ...failure, rev: current.oid, rebased_from: failure.rev }
  }
  const { failures } = refusal.data
  const told = Array.isArray(failures) && { failures: await Promise.all(failures.map(tell)) }
  const data = { ...(await tell(refusal.data)), ...told }
  return new Refusal(refusal.code, data, refusal.status)
}

/** The files that the batch names at a revision they had before; refused where they never had it. */
async function olderFiles(
  batch: Batch<Op>,
  context: ResolveContext,
  expectedTree: Tree | undefined,
): Promise<OlderFiles> {
  const named = expectedRevs(batch.ops)
  const older = new Map<RepoPath, Blob>()
  for (const path of new Set(batch.ops.flatMap(targetsOf))) {
    const actual = await context.tree.read(path)
    const vouched = named.has(path) ? undefined : await expectedTree?.read(path)
    const expected = named.get(path) ?? vouched?.oid
    if (expected === undefined || actual === undefined || expected === actual.oid) continue
    older.set(path, await olderBlob(path, expected, actual, context))
  }
  return older
}

async function olderBlob(
  path: RepoPath,
  expected: Oid,
  actual: Blob,
  context: ResolveContext,
): Promise<Blob> {
  if (!isRegular(actual.mode) || !(await wasHere(context, path, expected))) {
    throw new Refusal('CONTENT_REV_CONFLICT', { path, expected, actual: actual.oid })
  }
  const { reader } = context.checkout.served
  const bytes = await reader.blob(expected, context.limits.fileBytes)
  return { oid: expected, mode: actual.mode, bytes }
}

/** What became of one change. */
interface Merged {
  /** Undefined where what stands now holds it already. */
  readonly change?: Change
  /** Paths of the ops whose lines have moved, and the three texts between which they did. */
  readonly moved?: {
    readonly paths: readonly string[]
    readonly older: Uint8Array
    readonly current: Uint8Array
    readonly edited: Uint8Array
    readonly result: Uint8Array
  }
}

async function mergeChange(
  change: Change,
  older: OlderFiles,
  context: ResolveContext,
): Promise<Merged> {
  const source = change.from ?? change.path
  const base = older.get(source)
  if (base === undefined) return { change }
  const current = await context.tree.read(source)
  const { after } = change
  if (current === undefined || after === undefined) throw conflict(source, base, current)
  const bytes = await merge(context, source, { base, current, edited: after.bytes })
  const moved = {
    paths: [source, change.path],
    older: base.bytes,
    current: current.bytes,
    edited: after.bytes,
    result: bytes,
  }
  const isSame = sameBytes(bytes, current.bytes) && after.mode === current.mode
  if (isSame && change.from === undefined) return { moved }
  const { edits: _edits, ...rest } = change
  const edits = diffEdits(current.bytes, bytes, context.limits.diffLines)
  return {
    change: {
      ...rest,
      before: current,
      after: { mode: after.mode, bytes },
      rebasedFrom: base.oid,
      ...(edits && { edits }),
    },
    moved,
  }
}

async function merge(
  { checkout }: ResolveContext,
  path: RepoPath,
  sides: { readonly base: Blob; readonly current: Blob; readonly edited: Uint8Array },
): Promise<Uint8Array> {
  const { base, current, edited } = sides
  if (sameBytes(base.bytes, edited)) return current.bytes
  const merged = await mergeFile(checkout.place, checkout.workDir, {
    ours: current.bytes,
    base: base.bytes,
    theirs: edited,
  })
  if (merged === undefined) throw conflict(path, base, current)
  return merged
}

function conflict(path: RepoPath, base: Blob, current: Blob | undefined): Refusal {
  return new Refusal('MERGE_CONFLICT', { path, expected: base.oid, actual: current?.oid ?? null })
}

/** An op tells its lines in the file as the batch found and left it, which is not the one it was worked out on. */
function moveLines(op: OpResult, merged: readonly Merged[]): OpResult {
  const moved = merged.find(one => one.moved?.paths.includes(op.path))?.moved
  if (moved === undefined) return op
  const { older, current, edited, result } = moved
  const carried = (
    lines: readonly LineRange[] | undefined,
    from: Uint8Array,
    to: Uint8Array,
  ): readonly LineRange[] | undefined => lines && mapLines(lines, from, to)
  const lines = carried(op.lines, older, current)
  const newLines = carried(op.new_lines, edited, result)
  return { ...op, ...(lines && { lines }), ...(newLines && { new_lines: newLines }) }
}
