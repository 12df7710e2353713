import { setImmediate as pause } from 'node:timers/promises'
import type { Batch } from '../core/batch.js'
import { Refusal } from '../core/errors.js'
import type { Limits } from '../core/limits.js'
import type { Oid } from '../core/oid.js'
import type { Op } from '../edit/ops/registry.js'
import { type Resolution, resolve } from '../edit/resolve.js'
import type { Checkout } from './checkout.js'
import { withConflictPatch } from './conflict-patch.js'
import type { Meter } from './meter.js'
import { TreeOfCommit } from './tree-of-commit.js'
import type { WorkingTree } from './working-tree.js'

/** What a batch is resolved on, and by which rules. */
export interface ResolveContext {
  readonly checkout: Checkout
  readonly tree: WorkingTree
  readonly base: Oid
  readonly limits: Limits
  readonly allowProtected: readonly string[]
  readonly meter: Meter
  /** The HTTP status of a conflict, where the revision came in a header. */
  readonly status: number | undefined
}

/** Resolves a batch of ops; a revision conflict is told with what changed since. */
export async function resolveBatch(batch: Batch<Op>, context: ResolveContext): Promise<Resolution> {
  const { checkout, tree, limits, allowProtected } = context
  const expectedTree =
    batch.expectedHead &&
    (await TreeOfCommit.open(checkout.served, batch.expectedHead, limits.fileBytes))
  try {
    return await resolve(batch, tree, {
      limits,
      allowProtected,
      pause,
      ...(expectedTree && { expectedTree }),
    })
  } catch (error) {
    throw error instanceof Refusal ? await explainConflict(error, context) : error
  }
}

async function explainConflict(refusal: Refusal, context: ResolveContext): Promise<Refusal> {
  const { code, data } = refusal
  if (code === 'PATH_EXISTS') return new Refusal(code, data, context.status)
  if (code !== 'CONTENT_REV_CONFLICT') return refusal
  context.meter.conflict()
  const told = await withConflictPatch(refusal, context)
  return new Refusal(code, told.data, context.status)
}
