import type { OpBase } from '../core/batch.js'
import { Refusal } from '../core/errors.js'
import type { Oid } from '../core/oid.js'
import type { RepoPath } from '../core/repo-path.js'
import type { Tree } from '../core/tree.js'

/** The revision a file must have: a blob id, null where it must not exist, undefined where nothing was said. */
export type ExpectedRev = Oid | null | undefined

/** What a batch says about the revisions of its files, once per file. */
export function expectedRevs(ops: readonly OpBase[]): ReadonlyMap<RepoPath, Oid | null> {
  const revs = new Map<RepoPath, Oid | null>()
  for (const { path, expected_rev: rev } of ops) {
    if (rev !== undefined && !revs.has(path)) revs.set(path, rev)
  }
  return revs
}

/** Refuses an op that names another revision than the first op of the same file. */
export function requireSameRev(op: OpBase, revs: ReadonlyMap<RepoPath, Oid | null>): void {
  if (op.expected_rev === undefined || op.expected_rev === revs.get(op.path)) return
  throw new Refusal('INVALID_ARGUMENTS', {
    problems: [
      { field: 'expected_rev', problem: 'differs from the one an earlier edit of the file names' },
    ],
  })
}

/** Where the revision of a file is looked up. */
export interface Standing {
  /** The files as they are before the batch. */
  readonly tree: Tree
  /** The files of the commit that vouches for all of them, where the batch names one. */
  readonly expectedTree?: Tree | undefined
}

/** Refuses an op that was made from another version of the file than there is. */
export async function checkRevision(
  op: OpBase,
  named: ExpectedRev,
  { tree, expectedTree }: Standing,
): Promise<void> {
  const { path } = op
  const actual = (await tree.read(path))?.oid ?? null
  const isVouchedFor = named === undefined && expectedTree !== undefined
  const expected = isVouchedFor ? ((await expectedTree.read(path))?.oid ?? null) : named
  if (expected === undefined) {
    // It looks for itself that no content is lost.
    if (op.op === 'create_file') return
    if (actual === null && op.op !== 'write_file') throw new Refusal('FILE_NOT_FOUND', { path })
    throw new Refusal('CONTENT_REV_REQUIRED', { path, actual })
  }
  if (expected === actual) return
  if (expected === null) throw new Refusal('PATH_EXISTS', { path, actual })
  throw new Refusal('CONTENT_REV_CONFLICT', { path, expected, actual })
}

/** The same for a path that an earlier op of the batch moved a file to: it had no file, or the agent names the one that came. */
export async function checkMovedRevision(
  path: RepoPath,
  named: ExpectedRev,
  source: RepoPath,
  tree: Tree,
): Promise<void> {
  const moved = await tree.read(source)
  if (named === undefined || named === null || named === moved?.oid) return
  throw new Refusal('CONTENT_REV_CONFLICT', { path, expected: named, actual: null })
}
