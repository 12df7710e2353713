import type { Limits } from '../../core/limits.js'
import type { Matching } from '../../core/matching.js'
import type { Oid } from '../../core/oid.js'
import type { WorktreeRefs } from '../repository/worktree-refs.js'
import type { EventLog } from '../telling/event-log.js'
import type { Meter } from '../telling/meter.js'
import type { RefusalRecorder } from '../telling/record-refusals.js'
import type { Checkout } from './checkout.js'

/** What a worktree is made of, and the rules it works by. */
export interface WorktreeParts {
  readonly id: string
  readonly agent: string
  readonly checkout: Checkout
  readonly refs: WorktreeRefs
  readonly base: Oid
  readonly limits: Limits
  readonly matching: Matching
  readonly allowProtected: readonly string[]
  /** Milliseconds that a batch may wait for its syntax check; 0 for none. */
  readonly syntaxMs: number
  readonly events: EventLog
  readonly meter: Meter
  readonly recordRefusal?: RefusalRecorder | undefined
}

export interface ApplyOptions {
  readonly dryRun?: boolean
  readonly key?: string
  /** What was asked, in a canonical form; stands for the batch under its key. */
  readonly fingerprint?: string
  /** A revision conflict is answered as 412, because the revision came in If-Match. */
  readonly ifMatch?: boolean
  readonly signal?: AbortSignal
}

export interface RevertOptions {
  readonly message?: string
  readonly dryRun?: boolean
  readonly key?: string
  readonly signal?: AbortSignal
}
