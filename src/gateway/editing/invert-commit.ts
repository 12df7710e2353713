import { type Blob, type FileContent, isRegular } from '../../core/blob.js'
import { Draft } from '../../core/draft.js'
import { Refusal } from '../../core/errors.js'
import type { Limits } from '../../core/limits.js'
import type { OpResult } from '../../core/receipt.js'
import { parseRepoPath, type RepoPath } from '../../core/repo-path.js'
import { isProtected } from '../../edit/protected-paths.js'
import { type Resolution, withEdits } from '../../edit/resolve.js'
import { fileMode } from '../../io/git/commit-tree.js'
import type { TreeDifference } from '../../io/git/diff-trees.js'
import { mergeFile } from '../../io/git/merge-file.js'
import type { Checkout } from '../checkout/checkout.js'
import type { WorkingTree } from '../checkout/working-tree.js'

export interface Inversion {
  readonly checkout: Checkout
  readonly tree: WorkingTree
  /** What the commit did. */
  readonly differences: readonly TreeDifference[]
  readonly limits: Limits
  readonly allowProtected: readonly string[]
}

/**
 * The changes that undo one commit, in its own paths only. A file that was changed again since is merged line by line;
 * where both touched the same place all such paths are told with `DEPENDENT_CHANGES`.
 */
export async function invertCommit(inversion: Inversion): Promise<Resolution> {
  let draft = new Draft(inversion.tree)
  const dependent: string[] = []
  for (const difference of inversion.differences) {
    const undone = await invertOne(inversion, draft, difference)
    if (undone === undefined) dependent.push(difference.path)
    else draft = undone
  }
  const conflicts = await draft.conflicts()
  const paths = [...new Set([...dependent, ...conflicts.map(({ path }) => path)])]
  if (paths.length > 0) throw new Refusal('DEPENDENT_CHANGES', { paths })
  const changes = (await draft.changes()).map(change => withEdits(change, inversion.limits))
  const ops = changes.map(({ path }, index): OpResult => ({ index, op: 'revert', path }))
  return { changes, ops, warnings: [] }
}

/** The draft with one difference undone; undefined where later work stands on it. */
async function invertOne(
  inversion: Inversion,
  draft: Draft,
  difference: TreeDifference,
): Promise<Draft | undefined> {
  const path = editablePath(inversion, difference.path)
  const now = await inversion.tree.read(path)
  const [before, after] = [
    await storedBlob(inversion, difference, 'before'),
    await storedBlob(inversion, difference, 'after'),
  ]
  if (after === undefined)
    return now === undefined && before ? draft.write(path, before) : undefined
  if (now === undefined) return undefined
  if (before === undefined) return now.oid === after.oid ? draft.remove(path) : undefined
  const content = await withoutChange(inversion, now, before, after)
  if (content === undefined) return undefined
  const written = await draft.write(path, content)
  if (difference.from === undefined) return written
  const from = editablePath(inversion, difference.from)
  return (await inversion.tree.read(from)) === undefined ? written.move(path, from) : undefined
}

/** What a file holds when one change is taken out of it. */
async function withoutChange(
  { checkout }: Inversion,
  now: Blob,
  before: Blob,
  after: Blob,
): Promise<FileContent | undefined> {
  const mode = now.mode === after.mode ? before.mode : now.mode
  if (now.oid === after.oid) return { mode, bytes: before.bytes }
  if (before.oid === after.oid) return { mode, bytes: now.bytes }
  const sides = { ours: now.bytes, base: after.bytes, theirs: before.bytes }
  const bytes = await mergeFile(checkout.place, checkout.workDir, sides)
  return bytes && { mode, bytes }
}

async function storedBlob(
  { checkout, limits }: Inversion,
  difference: TreeDifference,
  side: 'before' | 'after',
): Promise<Blob | undefined> {
  const oid = difference[side]
  if (oid === undefined) return undefined
  const mode = fileMode(side === 'before' ? difference.oldMode : difference.newMode)
  if (mode === undefined || !isRegular(mode))
    throw new Refusal('NOT_REGULAR', { path: difference.path })
  return { oid, mode, bytes: await checkout.served.reader.blob(oid, limits.fileBytes) }
}

function editablePath({ allowProtected }: Inversion, text: string): RepoPath {
  const path = parseRepoPath(text)
  if (isProtected(path, allowProtected)) throw new Refusal('PROTECTED_PATH', { path })
  return path
}
