import { Refusal } from '../../core/errors.js'
import type { AgentPlace } from './open-checkout.js'

/** The full id of an agent's worktree: `<repo>~<agent>`. */
export function idOf({ served, name }: Pick<AgentPlace, 'served' | 'name'>): string {
  return `${served.name}~${name}`
}

/** The refusal for an id that names no worktree. */
export function unknownWorktree(id: string): Refusal {
  return new Refusal('NOT_FOUND', { worktree: id.slice(0, 200) })
}

/** A list goes on without the worktrees that are gone. */
export function unlessGone(error: unknown): undefined {
  if (!(error instanceof Refusal)) throw error
}
