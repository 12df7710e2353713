import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fixedLimits } from '../../core/limits.js'
import { adoptIndex } from '../../io/git/index-patch.js'
import { ownDirectory } from '../../io/git/owner-record.js'
import { type GitPlace, runGit } from '../../io/git/run-git.js'
import { readTreeWithoutFiles } from '../../io/git/skip-worktree.js'
import { syncPaths } from '../../io/git/sync-paths.js'
import { syncTree } from '../../io/git/sync-tree.js'
import { type FilesMode, isWithoutFiles, markWithoutFiles } from '../checkout/absent-files.js'
import type { Checkout } from '../checkout/checkout.js'
import { lockCheckout } from './lock-checkout.js'

/** Says of a worktree that was just registered that its files, or the index of those it shall not have, are still to come. */
export function markUnfinished(gitDir: string, files: FilesMode): void {
  mkdirSync(ownDirectory(gitDir), { recursive: true })
  if (files === 'none') markWithoutFiles(gitDir)
  writeFileSync(markPath(gitDir), '')
}

/** True for a worktree whose checkout was never finished. */
export function isUnfinished({ gitDir, path, indexPath }: UnfinishedPlace): boolean {
  return existsSync(markPath(gitDir)) || (!existsSync(indexPath) && isEmpty(path))
}

type UnfinishedPlace = Pick<Checkout, 'gitDir' | 'path' | 'indexPath'>

/** Cut off before even the mark was made: nothing stands there but the link to the repository. */
function isEmpty(path: string): boolean {
  return existsSync(path) && readdirSync(path).every(name => name === '.git')
}

/**
 * Writes the files of a worktree that was registered and has none yet, or not all, because whoever began it was cut
 * off. Until it is done nobody may take what is missing for somebody's deletions. Does nothing for any other worktree.
 */
export async function finishCheckout(checkout: Checkout): Promise<void> {
  if (!isUnfinished(checkout)) return
  const lock = await lockCheckout(checkout)
  try {
    if (isUnfinished(checkout)) await checkOut(checkout)
  } finally {
    lock.release()
  }
}

async function checkOut({
  place,
  path,
  gitDir,
  workDir,
  indexPath,
  durability,
}: Checkout): Promise<void> {
  // A private index: a git that is killed leaves no lock that nobody could prove to be ours.
  const fresh = join(workDir, `index-${randomBytes(6).toString('hex')}`)
  try {
    if (isWithoutFiles({ gitDir })) await readTreeWithoutFiles(place, fresh)
    else await readTreeWithFiles(place, fresh)
    adoptIndex(fresh, indexPath)
  } finally {
    rmSync(fresh, { force: true })
    rmSync(`${fresh}.lock`, { force: true })
  }
  if (durability === 'power') {
    if (!isWithoutFiles({ gitDir })) await syncTree(place, path)
    await syncPaths([indexPath, gitDir])
  }
  rmSync(markPath(gitDir), { force: true })
}

async function readTreeWithFiles(place: GitPlace, index: string): Promise<void> {
  await runGit(place, ['read-tree', '--reset', '-u', 'HEAD'], {
    env: { GIT_INDEX_FILE: index },
    timeoutMs: fixedLimits.checkoutMs,
  })
}

function markPath(gitDir: string): string {
  return join(ownDirectory(gitDir), 'unfinished')
}
