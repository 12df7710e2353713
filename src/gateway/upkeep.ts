import { Refusal } from '../core/errors.js'
import { fixedLimits, type Limits } from '../core/limits.js'
import type { GatewayOptions } from './opening/gateway-options.js'
import type { EventLog } from './telling/event-log.js'
import { BackgroundIndex } from './upkeep/background-index.js'
import { DriftTold } from './upkeep/tell-drift.js'
import { CheckoutWatch, type SeenChanges } from './upkeep/watch-checkout.js'
import type { Worktree } from './worktree.js'

/**
 * Begins what goes on beside the work in a worktree, as far as the options ask for it: its symbols are read, it is
 * watched, and drift is told. It ends with the worktree; asked again meanwhile, it goes on.
 */
export function keepUp(worktree: Worktree, options: GatewayOptions, events: EventLog): void {
  const { checkout, id } = worktree
  const {
    indexing = false,
    watching = false,
    limits,
  } = {
    ...options,
    ...checkout.served.settings.own,
  }
  if ((!indexing && !watching) || checkout.served.upkeep.has(id)) return
  const index = indexing ? new BackgroundIndex(checkout) : undefined
  const drift = new DriftWatch(worktree, limits, events)
  const watch = watching
    ? new CheckoutWatch(checkout, async changes => {
        // A few files are read faster when they are asked for than the whole index is listed.
        if (changes.paths.length > fixedLimits.unreadPaths) index?.soon()
        await drift.look(changes)
      })
    : undefined
  checkout.served.upkeep.set(id, () => ({
    ...(watch && { watch: watch.state }),
    ...(index && { index: index.progress }),
  }))
  checkout.onStop(async () => {
    checkout.served.upkeep.delete(id)
    watch?.stop()
    await Promise.all([drift.stop(), index?.stop()])
  })
  index?.soon()
  void watch?.start()
}

/** Tells what others changed in a worktree. */
class DriftWatch {
  readonly #worktree: Worktree
  readonly #limits: Limits
  readonly #events: EventLog
  readonly #told = new DriftTold()
  #looking: Promise<void> = Promise.resolve()
  #isStopped = false

  constructor(worktree: Worktree, limits: Limits, events: EventLog) {
    this.#worktree = worktree
    this.#limits = limits
    this.#events = events
  }

  /** Looks between two batches, for in the midst of one everything seems changed. */
  async look(changes: SeenChanges): Promise<void> {
    if (this.#isStopped) return
    await this.#worktree.alone(() => {
      if (!this.#isStopped) this.#looking = this.#look(changes)
      return this.#looking
    })
  }

  /** Waits only for a look that has begun: we may be called in the turn that the next one waits for. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#looking
  }

  async #look(changes: SeenChanges): Promise<void> {
    const { checkout, id, agent } = this.#worktree
    try {
      const { paths, more } = await this.#told.fresh(checkout, changes, this.#limits)
      if (paths.length === 0 && more === 0) return
      const drift = { type: 'drift', worktree: id, agent, paths } as const
      this.#events.publish({ ...drift, ...(more > 0 && { more }) })
    } catch (error) {
      // The worktree is gone, or somebody is at work in it with git: the next change is looked at again.
      if (!(error instanceof Refusal)) checkout.onFault(error)
    }
  }
}
