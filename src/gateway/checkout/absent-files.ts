import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findStanding, type Standing } from '../../io/files/find-standing.js'
import { withIndexCopy } from '../../io/git/convert-file.js'
import { readIndex } from '../../io/git/index-file.js'
import { listStatus } from '../../io/git/list-files.js'
import { ownDirectory } from '../../io/git/owner-record.js'
import { listSkipped, setPresence } from '../../io/git/skip-worktree.js'
import type { Checkout } from './checkout.js'

/** Whether a worktree has its files in its directory, or only in git until somebody asks for them. */
export type FilesMode = 'all' | 'none'

/** Says of a worktree that its files are written only when asked for. */
export function markWithoutFiles(gitDir: string): void {
  writeFileSync(markPath(gitDir), '')
}

/** Ends that: from now on every file of a batch is written. */
export function unmarkWithoutFiles(gitDir: string): void {
  rmSync(markPath(gitDir), { force: true })
}

/** True for a worktree whose files are written only when asked for. */
export function isWithoutFiles({ gitDir }: Pick<Checkout, 'gitDir'>): boolean {
  return existsSync(markPath(gitDir))
}

/** Entries whose files need not be in the worktree, by what stands at their paths. */
export async function skippedFiles(checkout: Checkout): Promise<Standing> {
  const layout = readIndex(checkout.indexPath, checkout.indexCache)
  return findStanding(checkout.path, await listSkipped(checkout.place, layout))
}

/** How many files of the index are not in the worktree because they need not be. */
export async function countAbsent(checkout: Checkout): Promise<number> {
  const { absent, obstructed } = await skippedFiles(checkout)
  return absent.length + obstructed.length
}

/** What differs between head, index and files, as `listStatus`. Git does not look at files that need not be there; here they count where they are. */
export async function worktreeStatus(checkout: Checkout): ReturnType<typeof listStatus> {
  const { present } = await skippedFiles(checkout)
  const { place, gitDir } = checkout
  if (present.length === 0) return listStatus(place)
  return withIndexCopy(gitDir, async index => {
    await setPresence(place, index, present, 'needed')
    return listStatus({ ...place, env: { ...place.env, GIT_INDEX_FILE: index } })
  })
}

function markPath(gitDir: string): string {
  return join(ownDirectory(gitDir), 'without-files')
}
