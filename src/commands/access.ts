import { Refusal } from '../core/errors.js'
import type { Caller } from '../gateway/tokens.js'

/** What a command needs: the server's own token, or a token of the worktree that may read or edit. */
export type Access = 'server' | 'read' | 'edit'

/** Refuses a caller who may not, with `FORBIDDEN` and before anything is looked up. */
export function checkAccess(caller: Caller, access: Access): void {
  if (caller.kind === 'server') return
  if (access === 'server') throw new Refusal('FORBIDDEN')
  if (access === 'edit' && !mayEdit(caller)) {
    throw new Refusal('FORBIDDEN', { scope: caller.scope })
  }
}

/** True for a token with which something can be changed. */
export function mayEdit(caller: Caller): boolean {
  return caller.kind === 'server' || caller.scope === 'edit'
}

/**
 * The id of the worktree that was asked for. A worktree's token answers its own full id for its
 * short name too, so that the name can never lead to somebody else's worktree.
 */
export function ownWorktree(caller: Caller, asked: string): string {
  if (caller.kind === 'server') return asked
  if (asked === caller.id || asked === shortName(caller.id)) return caller.id
  throw new Refusal('FORBIDDEN')
}

function shortName(id: string): string {
  return id.slice(id.lastIndexOf('~') + 1)
}
