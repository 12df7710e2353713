import { setImmediate as pause } from 'node:timers/promises'
import type { Batch } from '../../core/batch.js'
import { Refusal } from '../../core/errors.js'
import type { Op } from '../../edit/ops/registry.js'
import { type Resolution, resolve } from '../../edit/resolve.js'
import { TreeOfCommit } from '../repository/tree-of-commit.js'
import { withWholeRevisions } from '../repository/whole-revisions.js'
import { withConflictPatch } from './conflict-patch.js'
import { withEarlierRevision } from './earlier-revision.js'
import { rebaseBatch } from './rebase-batch.js'
import type { ResolveContext } from './resolve-context.js'

/** Resolves a batch of ops; a revision conflict is told with what changed since. */
export async function resolveBatch(said: Batch<Op>, context: ResolveContext): Promise<Resolution> {
  const { checkout, tree, limits, matching, allowProtected } = context
  const batch = await withWholeRevisions(said, checkout.served, tree)
  const expectedTree =
    batch.expectedHead &&
    (await TreeOfCommit.open(checkout.served, batch.expectedHead, limits.fileBytes))
  try {
    return await resolve(batch, tree, {
      limits,
      matching,
      allowProtected,
      pause,
      parsers: checkout.served.symbols,
      ...(expectedTree && { expectedTree }),
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const isRebased = batch.onConflict === 'rebase' && error.code === 'CONTENT_REV_CONFLICT'
    const rebased = isRebased ? await rebaseBatch(batch, context, expectedTree) : undefined
    if (rebased !== undefined) return rebased
    const refusal = await explainConflict(error, batch, context)
    throw await withEarlierRevision(refusal, batch, context)
  }
}

async function explainConflict(
  refusal: Refusal,
  { expectedHead }: Batch<Op>,
  context: ResolveContext,
): Promise<Refusal> {
  const { code, data } = refusal
  if (code === 'PATH_EXISTS') return new Refusal(code, data, context.status)
  if (code !== 'CONTENT_REV_CONFLICT') return refusal
  context.meter.conflict()
  const told = await withConflictPatch(refusal, context)
  // What has no place for the revision of a file, as a patch, can go on only from a commit.
  const head = expectedHead && { head: context.tree.head }
  return new Refusal(code, { ...told.data, ...head }, context.status)
}
