import type { Limits } from '../../core/limits.js'
import type { Matching } from '../../core/matching.js'
import type { Oid } from '../../core/oid.js'
import type { Checkout } from '../checkout/checkout.js'
import type { WorkingTree } from '../checkout/working-tree.js'
import type { Meter } from '../telling/meter.js'

/** What a batch is resolved on, and by which rules. */
export interface ResolveContext {
  readonly checkout: Checkout
  readonly tree: WorkingTree
  readonly base: Oid
  readonly limits: Limits
  readonly matching: Matching
  readonly allowProtected: readonly string[]
  readonly meter: Meter
  /** The HTTP status of a conflict, where the revision came in a header. */
  readonly status: number | undefined
}
