import { fixedLimits } from '../../core/limits.js'
import type { SetupAnswer } from './answers.js'

/** Something that happened to a worktree; `id` only ever grows. */
export interface GatewayEvent {
  readonly id: number
  readonly type: 'batch' | 'drift' | 'setup' | 'worktree_opened' | 'worktree_closed' | 'missed'
  /** The full worktree id; absent only where events were missed. */
  readonly worktree?: string
  readonly agent?: string
  readonly branch?: string
  readonly commit?: string
  readonly parent?: string
  readonly paths?: readonly string[]
  /** Changed paths that were not looked at, beyond those that are named. */
  readonly more?: number
  /** How the operator's command in a new worktree ended. */
  readonly setup?: SetupAnswer
}

export type EventListener = (event: GatewayEvent) => void

/**
 * The last events of this process, kept in memory and bounded. Ids start at the clock, so that an
 * id from before a restart is older than every kept one.
 */
export class EventLog {
  readonly #listeners = new Set<EventListener>()
  readonly #first: number
  #kept: readonly GatewayEvent[] = []
  #last: number

  constructor(first: number = Date.now()) {
    this.#first = first
    this.#last = first
  }

  /** Gives the event its id and tells everybody who listens. */
  publish(event: Omit<GatewayEvent, 'id'>): void {
    this.#last += 1
    const numbered = { ...event, id: this.#last }
    this.#kept = [...this.#kept, numbered].slice(-fixedLimits.keptEvents)
    for (const listener of this.#listeners) listener(numbered)
  }

  /** The events after an id. The first is `missed` where some between are no longer known. */
  since(id: number): readonly GatewayEvent[] {
    const oldest = this.#kept[0]?.id ?? this.#last + 1
    const whole = id <= this.#last && id >= Math.max(oldest - 1, this.#first)
    const known = this.#kept.filter(event => event.id > id)
    return whole ? known : [{ id: oldest - 1, type: 'missed' }, ...this.#kept]
  }

  /** Calls the listener for every event from now on, until the answered function is called. */
  subscribe(listener: EventListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}
