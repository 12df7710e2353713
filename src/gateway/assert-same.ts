import { Refusal } from '../core/errors.js'
import type { WorktreeAnswer } from './answers.js'
import type { ServedRepository } from './served-repository.js'
import type { ViewName } from './worktree-view.js'

/** What is asked of a worktree that may be there already. */
interface Wanted {
  readonly base?: string
  readonly view?: ViewName
}

/** Refuses with `WORKTREE_EXISTS` to go on with a worktree that has another base or view than the one that is asked for. */
export async function assertSame(
  served: ServedRepository,
  answer: WorktreeAnswer,
  wanted: Wanted,
): Promise<void> {
  const { id, base } = answer
  const view: ViewName = answer.view ?? 'plain'
  const asked = wanted.base === undefined ? base : await served.commitNamed(wanted.base)
  if (asked !== base) throw new Refusal('WORKTREE_EXISTS', { worktree: id, base, asked })
  if (wanted.view !== undefined && wanted.view !== view) {
    throw new Refusal('WORKTREE_EXISTS', { worktree: id, view, asked: wanted.view })
  }
}
