import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fixedLimits } from '../core/limits.js'
import { adoptIndex } from '../io/git/index-patch.js'
import { ownDirectory } from '../io/git/owner-record.js'
import { runGit } from '../io/git/run-git.js'
import { syncPaths } from '../io/git/sync-paths.js'
import type { Checkout } from './checkout.js'
import { lockCheckout } from './land-changes.js'

/** Says of a worktree that was just registered that its files are still to come. */
export function markUnfinished(gitDir: string): void {
  mkdirSync(ownDirectory(gitDir), { recursive: true })
  writeFileSync(markPath(gitDir), '')
}

/**
 * Writes the files of a worktree that was registered and has none yet, or not all, because whoever began it was cut
 * off. Until it is done nobody may take what is missing for somebody's deletions. Does nothing for any other worktree.
 */
export async function finishCheckout(checkout: Checkout): Promise<void> {
  if (!existsSync(markPath(checkout.gitDir))) return
  const lock = await lockCheckout(checkout)
  try {
    if (existsSync(markPath(checkout.gitDir))) await checkOut(checkout)
  } finally {
    lock.release()
  }
}

async function checkOut({
  place,
  gitDir,
  workDir,
  indexPath,
  durability,
}: Checkout): Promise<void> {
  // A private index: a git that is killed leaves no lock that nobody could prove to be ours.
  const fresh = join(workDir, `index-${randomBytes(6).toString('hex')}`)
  try {
    await runGit(place, ['read-tree', '--reset', '-u', 'HEAD'], {
      env: { GIT_INDEX_FILE: fresh },
      timeoutMs: fixedLimits.checkoutMs,
    })
    adoptIndex(fresh, indexPath)
  } finally {
    rmSync(fresh, { force: true })
    rmSync(`${fresh}.lock`, { force: true })
  }
  if (durability === 'power') await syncPaths([indexPath, gitDir])
  rmSync(markPath(gitDir), { force: true })
}

function markPath(gitDir: string): string {
  return join(ownDirectory(gitDir), 'unfinished')
}
