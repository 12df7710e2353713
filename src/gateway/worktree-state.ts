import { Refusal } from '../core/errors.js'
import { listStatus } from '../io/git/list-files.js'
import { gitText } from '../io/git/run-git.js'
import type { StateAnswer, WorktreeAnswer } from './answers.js'
import type { Checkout } from './checkout.js'
import type { WorktreeRefs } from './worktree-refs.js'

/** What there is to know of a worktree before it is edited or closed. */
export async function worktreeState(
  checkout: Checkout,
  worktree: WorktreeAnswer,
  refs: WorktreeRefs,
): Promise<StateAnswer> {
  const locked = lockReason(checkout)
  return {
    ...worktree,
    dirty: await listStatus(checkout.place),
    unreported_commits: await countCommits(checkout, [worktree.head, `^${worktree.reported}`]),
    unlanded_commits: await countUnlanded(checkout, worktree.head, refs),
    ...(locked !== undefined && { locked }),
  }
}

/** Commits of the branch that no other branch, local or remote, and no tag has. */
export async function countUnlanded(
  checkout: Checkout,
  head: string,
  refs: WorktreeRefs,
): Promise<number> {
  // With --branches a pattern is taken below refs/heads.
  const others = [
    `--exclude=${refs.branch.slice('refs/heads/'.length)}`,
    '--branches',
    '--remotes',
    '--tags',
  ]
  return countCommits(checkout, [head, '--not', ...others, refs.base])
}

async function countCommits(checkout: Checkout, revisions: readonly string[]): Promise<number> {
  return Number(
    await gitText(checkout.served.repository.main, ['rev-list', '--count', ...revisions]),
  )
}

function lockReason(checkout: Checkout): string | undefined {
  try {
    checkout.assertQuiet()
    return undefined
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return typeof error.data.reason === 'string' ? error.data.reason : error.code
  }
}
