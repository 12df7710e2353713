import { basename } from 'node:path'
import { Refusal } from '../../core/errors.js'
import type { Oid } from '../../core/oid.js'
import { gitText } from '../../io/git/run-git.js'
import { countAbsent, worktreeStatus } from '../checkout/absent-files.js'
import type { Checkout } from '../checkout/checkout.js'
import type { Drafts } from '../editing/drafts.js'
import type { WorktreeRefs } from '../repository/worktree-refs.js'
import type { StateAnswer, WorktreeAnswer } from '../telling/answers.js'
import { setupOf } from '../upkeep/setup.js'

/** What there is to know of a worktree before it is edited or closed. */
export async function worktreeState(
  checkout: Checkout,
  worktree: WorktreeAnswer,
  refs: WorktreeRefs,
  drafts: Drafts,
): Promise<StateAnswer> {
  const written = await drafts.list()
  const locked = lockReason(checkout)
  const setup = setupOf(checkout)
  return {
    ...worktree,
    dirty: await worktreeStatus(checkout),
    unreported_commits: await countCommits(checkout, [worktree.head, `^${worktree.reported}`]),
    unlanded_commits: await countUnlanded(checkout, refs, await workTips(checkout, refs)),
    absent_files: await countAbsent(checkout),
    ...(locked !== undefined && { locked }),
    ...(setup !== undefined && { setup }),
    ...(written.length > 0 && { drafts: written }),
  }
}

/** Where work of the worktree ends: its branch and, where that is elsewhere, its HEAD. */
export async function workTips(checkout: Checkout, refs: WorktreeRefs): Promise<readonly Oid[]> {
  const names = [refs.branch, `worktrees/${basename(checkout.gitDir)}/HEAD`]
  const tips = await Promise.all(names.map(name => checkout.served.resolveRef(name)))
  return [...new Set(tips.filter(tip => tip !== undefined))]
}

/** Commits of these tips that no other branch, local or remote, and no tag has. */
export async function countUnlanded(
  checkout: Checkout,
  refs: WorktreeRefs,
  tips: readonly Oid[],
): Promise<number> {
  if (tips.length === 0) return 0
  // With --branches a pattern is taken below refs/heads.
  const others = [
    `--exclude=${refs.branch.slice('refs/heads/'.length)}`,
    '--branches',
    '--remotes',
    '--tags',
  ]
  // What is missing itself is told; another branch that lost objects, with a process that ended, only lands nothing.
  for (const tip of tips) await checkout.served.reader.commit(tip)
  return countCommits(checkout, ['--ignore-missing', ...tips, '--not', ...others, refs.base])
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
