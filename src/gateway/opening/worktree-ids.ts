import { Refusal } from '../../core/errors.js'
import { parseAgentName } from '../repository/worktree-refs.js'
import type { AgentPlace } from './open-checkout.js'

/** The full id of an agent's worktree: `<repo>~<agent>`. */
export function idOf({ served, name }: Pick<AgentPlace, 'served' | 'name'>): string {
  return `${served.name}~${name}`
}

/** The refusal for an id that names no worktree. */
export function unknownWorktree(id: string): Refusal {
  return new Refusal('NOT_FOUND', { worktree: id.slice(0, 200) })
}

/** True for a name that an agent can have. */
export function isAgentName(name: string): boolean {
  try {
    return parseAgentName(name) === name
  } catch {
    return false
  }
}
