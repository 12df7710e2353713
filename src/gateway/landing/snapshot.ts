import { Refusal, type RefusalCode } from '../../core/errors.js'
import { fixedLimits, type Limits } from '../../core/limits.js'
import type { Oid } from '../../core/oid.js'
import type { Receipt } from '../../core/receipt.js'
import { parseRepoPath, type RepoPath } from '../../core/repo-path.js'
import { isProtected } from '../../edit/protected-paths.js'
import { buildReceipt } from '../../report/receipt.js'
import { worktreeStatus } from '../checkout/absent-files.js'
import type { Checkout } from '../checkout/checkout.js'
import type { WorkingTree } from '../checkout/working-tree.js'
import { currentTree, nowSeconds } from './apply-change.js'
import { commitSignatures } from './commit-signatures.js'
import { externalMessage } from './external-message.js'
import { landChanges } from './land-changes.js'

/** The commit that keeps what was changed outside; none, with an empty receipt, where nothing was. */
export type Snapshot =
  | { readonly commit: Oid }
  | { readonly commit: undefined; readonly receipt: Receipt }

export interface SnapshotOptions {
  readonly message?: string
  /** Globs of protected paths that are committed too; who may not write there by an edit may not by a snapshot. */
  readonly allowProtected: readonly string[]
}

/** Commits every file that differs from head and that git would track. Links, submodules, filtered files, protected paths and names that we do not take are left as they are. */
export async function commitOutsideChanges(
  checkout: Checkout,
  agent: string,
  limits: Limits,
  what: SnapshotOptions,
): Promise<Snapshot> {
  for (let attempt = 0; attempt <= fixedLimits.rebuilds; attempt += 1) {
    const tree = await currentTree(checkout, limits)
    const paths = await outsidePaths(checkout, tree, what.allowProtected)
    if (paths.length === 0) return { commit: undefined, receipt: nothingDone(tree.head, limits) }
    const landed = await landChanges(checkout, {
      tree,
      changes: [],
      alsoTouched: paths,
      externalMessage: files => externalMessage(agent, files, what.message),
      signatures: commitSignatures(checkout.served.repository, agent, nowSeconds()),
    })
    if (landed !== 'moved') return { commit: landed.commit }
  }
  throw new Refusal('LOCKED', { reason: 'the branch or the files keep changing' })
}

async function outsidePaths(
  checkout: Checkout,
  tree: WorkingTree,
  allowProtected: readonly string[],
): Promise<readonly RepoPath[]> {
  const paths: RepoPath[] = []
  for (const { path } of await worktreeStatus(checkout)) {
    if (path.endsWith('/')) continue
    const changed = await outsideChange(tree, path)
    if (changed !== undefined && !isProtected(changed, allowProtected)) paths.push(changed)
  }
  return paths
}

async function outsideChange(tree: WorkingTree, name: string): Promise<RepoPath | undefined> {
  try {
    const path = parseRepoPath(name)
    return (await tree.file(path)).drifted ? path : undefined
  } catch (error) {
    if (error instanceof Refusal && leftAlone.includes(error.code)) return undefined
    throw error
  }
}

const leftAlone: readonly RefusalCode[] = [
  'SYMLINK',
  'NOT_REGULAR',
  'FILTERED',
  'BAD_PATH',
  'PROTECTED_PATH',
]

function nothingDone(head: Oid, limits: Limits): Receipt {
  const nothing = { commit: null, parent: head, changes: [], ops: [], warnings: [], dryRun: false }
  return buildReceipt(nothing, limits)
}
