import { Refusal } from '../../core/errors.js'
import type { Oid } from '../../core/oid.js'
import type { ServedRepository } from '../repository/served-repository.js'
import type { WorktreeAnswer } from '../telling/answers.js'

/** The commit that a new worktree starts from: the one that is named, else that of the repository's HEAD. Refuses with `NOT_FOUND`. */
export async function startingCommit(
  served: ServedRepository,
  base: string | undefined,
): Promise<Oid> {
  const isUnborn = base === undefined && (await served.reader.resolveRef('HEAD')) === undefined
  if (!isUnborn) return served.commitNamed(base ?? 'HEAD')
  const problem = 'the repository has no commit yet; make the first one'
  throw new Refusal('NOT_FOUND', { commit: 'HEAD', problem })
}

/** Refuses with `WORKTREE_EXISTS` where a worktree starts from another commit than the one that is asked for. */
export async function assertBase(
  served: ServedRepository,
  answer: WorktreeAnswer,
  base: string,
): Promise<void> {
  const wanted = await served.commitNamed(base)
  if (wanted !== answer.base) {
    throw new Refusal('WORKTREE_EXISTS', { worktree: answer.id, base: answer.base, asked: wanted })
  }
}
