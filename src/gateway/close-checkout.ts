import { lstatSync } from 'node:fs'
import { Refusal } from '../core/errors.js'
import type { Limits } from '../core/limits.js'
import { listStatus } from '../io/git/list-files.js'
import type { RefUpdate } from '../io/git/ref-writer.js'
import type { Checkout } from './checkout.js'
import { commitOutsideChanges } from './snapshot.js'
import type { WorktreeRefs } from './worktree-refs.js'
import { countUnlanded } from './worktree-state.js'

export interface Closing {
  readonly checkout: Checkout
  readonly refs: WorktreeRefs
  readonly agent: string
  /** A person's word: keep unlanded work under `refs/editlatch/closed/` instead of refusing. */
  readonly force: boolean
  readonly limits: Limits
}

/**
 * Removes a worktree, its branch and its refs. Refuses with `UNLANDED` while it holds commits or changes that nothing
 * else has; with `force` changes are committed first and the branch is kept under another name.
 */
export async function closeCheckout(closing: Closing): Promise<{ readonly keptRef?: string }> {
  const { checkout, refs, agent, force, limits } = closing
  const { served } = checkout
  const there = lstatSync(checkout.path, { throwIfNoEntry: false })?.isDirectory() === true
  if (there && force) await commitOutsideChanges(checkout, agent, limits, undefined)
  const head = await served.reader.resolveRef(refs.branch)
  const unlanded = head === undefined ? 0 : await countUnlanded(checkout, head, refs)
  const dirty = there ? await listStatus(checkout.place) : []
  if (!force && (unlanded > 0 || dirty.length > 0)) {
    const paths = dirty.slice(0, 50).map(({ path }) => path)
    throw new Refusal('UNLANDED', { unlanded_commits: unlanded, dirty: paths })
  }
  await checkout.stop()
  if (there) await served.porcelain.removeWorktree(checkout.path)
  else await served.porcelain.forgetWorktree(checkout.path)
  const keptRef = force && unlanded > 0 ? refs.closed : undefined
  await removeRefs(closing, keptRef)
  return keptRef === undefined ? {} : { keptRef }
}

async function removeRefs({ checkout, refs }: Closing, keptRef: string | undefined): Promise<void> {
  const { reader, refs: writer, zero } = checkout.served
  const updates: RefUpdate[] = []
  for (const ref of [refs.branch, refs.base, refs.reported]) {
    const old = await reader.resolveRef(ref)
    if (old !== undefined) updates.push({ ref, old, new: zero })
  }
  const head = updates.find(({ ref }) => ref === refs.branch)?.old
  if (keptRef !== undefined && head !== undefined) {
    updates.push({ ref: keptRef, old: (await reader.resolveRef(keptRef)) ?? zero, new: head })
  }
  if (updates.length > 0) await writer.update(updates)
}
