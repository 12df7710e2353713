import { existsSync, lstatSync } from 'node:fs'
import { Refusal } from '../../core/errors.js'
import type { Limits } from '../../core/limits.js'
import type { Oid } from '../../core/oid.js'
import type { RefUpdate } from '../../io/git/ref-writer.js'
import { worktreeStatus } from '../checkout/absent-files.js'
import type { Checkout } from '../checkout/checkout.js'
import { draftRemovals } from '../editing/drafts.js'
import { commitOutsideChanges } from '../landing/snapshot.js'
import type { WorktreeRefs } from '../repository/worktree-refs.js'
import { countUnlanded, workTips } from './worktree-state.js'

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
 * else has; with `force` changes are committed first and the branch is kept under another name. Changes that cannot be
 * committed are refused all the same.
 */
export async function closeCheckout(closing: Closing): Promise<{ readonly keptRef?: string }> {
  const { checkout, refs, agent, force, limits } = closing
  const { served } = checkout
  const there = lstatSync(checkout.path, { throwIfNoEntry: false })?.isDirectory() === true
  // It is a person's word, so protected paths are kept with the rest.
  const everything = { allowProtected: ['**'] }
  if (there && force) await commitOutsideChanges(checkout, agent, limits, everything)
  const tips = await workTips(checkout, refs)
  const unlanded = await countUnlanded(checkout, refs, tips)
  const dirty = there ? await worktreeStatus(checkout) : []
  // What is still dirty could not be committed: a link, a filtered file, a repository in the repository.
  if (dirty.length > 0 || (!force && unlanded > 0)) {
    const paths = dirty.slice(0, 50).map(({ path }) => path)
    throw new Refusal('UNLANDED', { unlanded_commits: unlanded, dirty: paths })
  }
  await checkout.stop()
  if (there) await served.porcelain.removeWorktree(checkout.path)
  else if (existsSync(checkout.gitDir)) await served.porcelain.forgetWorktree(checkout.path)
  const kept = await keptTips(closing, tips)
  await removeRefs(closing, kept)
  const keptRef = kept[0]?.ref
  return keptRef === undefined ? {} : { keptRef }
}

/** Unlanded work under names that are free: what was kept before stays. */
async function keptTips(
  { checkout, refs }: Closing,
  tips: readonly Oid[],
): Promise<readonly RefUpdate[]> {
  const { served } = checkout
  const kept: RefUpdate[] = []
  let number = 1
  for (const tip of tips) {
    if ((await countUnlanded(checkout, refs, [tip])) === 0) continue
    const name = (): string => (number === 1 ? refs.closed : `${refs.closed}-${number}`)
    while ((await served.resolveRef(name())) !== undefined) number += 1
    kept.push({ ref: name(), old: served.zero, new: tip })
    number += 1
  }
  return kept
}

async function removeRefs({ checkout, refs }: Closing, kept: readonly RefUpdate[]): Promise<void> {
  const { served } = checkout
  const { refs: writer, zero } = served
  const updates = [...kept]
  for (const ref of [refs.branch, refs.base, refs.reported]) {
    const old = await served.resolveRef(ref)
    if (old !== undefined) updates.push({ ref, old, new: zero })
  }
  updates.push(...(await draftRemovals(checkout, refs.drafts)))
  if (updates.length > 0) await writer.update(updates)
}
