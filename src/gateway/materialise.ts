import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '../core/errors.js'
import { parseRepoPath, type RepoPath } from '../core/repo-path.js'
import { findStanding, type Standing } from '../io/files/find-standing.js'
import { placeFiles } from '../io/files/place-files.js'
import { readIndex } from '../io/git/index-file.js'
import { runGit } from '../io/git/run-git.js'
import {
  type ByteName,
  byteName,
  checkOutEntries,
  listSkipped,
  nameText,
  refreshIndex,
  setPresence,
} from '../io/git/skip-worktree.js'
import { skippedFiles, unmarkWithoutFiles } from './checkout/absent-files.js'
import type { Checkout } from './checkout/checkout.js'
import { faultAsRefusal } from './landing/faults.js'
import { lockCheckout } from './landing/lock-checkout.js'
import {
  markMaterialising,
  recoverMaterialising,
  unmarkMaterialising,
  withPrivateIndex,
} from './landing/recover-materialising.js'
import { settled } from './landing/settled.js'
import type { MaterialisedAnswer } from './telling/answers.js'
import type { Worktree } from './worktree.js'

const toldPaths = 100

/**
 * Writes files that need not have been in a worktree until now: all of them, or those at or below some paths. What
 * stands at such a path already is somebody's and stays. Refuses with `FILE_NOT_FOUND` for a path that git does not
 * track. Asking again writes what is still missing.
 */
export async function materialise(
  worktree: Worktree,
  input: { readonly paths?: readonly string[] },
): Promise<MaterialisedAnswer> {
  const paths = input.paths?.map(parseRepoPath)
  const { id, checkout } = worktree
  return worktree.alone(() =>
    settled(checkout, async () => {
      const lock = await lockCheckout(checkout)
      try {
        return { id, ...(await writeAbsent(checkout, paths)) }
      } catch (error) {
        throw faultAsRefusal(error)
      } finally {
        checkout.changes.count()
        lock.release()
      }
    }),
  )
}

async function writeAbsent(
  checkout: Checkout,
  paths: readonly RepoPath[] | undefined,
): Promise<Omit<MaterialisedAnswer, 'id'>> {
  const layout = readIndex(checkout.indexPath, checkout.indexCache)
  const skipped = await listSkipped(checkout.place, layout)
  const wanted = paths === undefined ? skipped : await chosen(checkout, skipped, paths)
  const standing = findStanding(checkout.path, wanted)
  const changed = wanted.length === 0 ? [] : await checkOut(checkout, standing)
  const left = await skippedFiles(checkout)
  const absent = new Set([...left.absent, ...left.obstructed])
  if (paths === undefined && absent.size === 0) unmarkWithoutFiles(checkout.gitDir)
  const kept = [...new Set([...changed, ...standing.obstructed])]
  return {
    written: standing.absent.filter(name => !absent.has(name)).length,
    kept: kept.slice(0, toldPaths).map(nameText),
    absent_files: absent.size,
  }
}

/** Answers what stood there already and differs from what git holds. */
async function checkOut(
  checkout: Checkout,
  { absent, present }: Standing,
): Promise<readonly ByteName[]> {
  const { place } = checkout
  let changed: readonly ByteName[] = []
  await markMaterialising(checkout)
  try {
    await withPrivateIndex(checkout, async index => {
      await setPresence(place, index, [...absent, ...present], 'needed')
      // Who put something there at the last moment keeps it.
      await setPresence(place, index, await writeEntries(checkout, index, absent), 'not_needed')
      changed = await refreshIndex(place, index)
    })
    await unmarkMaterialising(checkout)
  } catch (error) {
    await recoverMaterialising(checkout)
    throw error
  }
  const there = new Set(present)
  return changed.filter(name => there.has(name))
}

/** Answers what found no place. */
async function writeEntries(
  { place, path, workDir }: Checkout,
  index: string,
  names: readonly ByteName[],
): Promise<readonly ByteName[]> {
  const directory = join(workDir, `files-${randomBytes(6).toString('hex')}`)
  mkdirSync(directory)
  try {
    await checkOutEntries(place, index, names, directory)
    return await placeFiles(directory, path)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

async function chosen(
  checkout: Checkout,
  skipped: readonly ByteName[],
  paths: readonly RepoPath[],
): Promise<readonly ByteName[]> {
  const found = new Set<ByteName>()
  for (const path of paths) {
    const name = byteName(path)
    const fits = skipped.filter(one => one === name || one.startsWith(`${name}/`))
    for (const one of fits) found.add(one)
    if (fits.length === 0 && !(await isTracked(checkout, path))) {
      throw new Refusal('FILE_NOT_FOUND', { path })
    }
  }
  return [...found]
}

async function isTracked({ place }: Checkout, path: RepoPath): Promise<boolean> {
  return (await runGit(place, ['ls-files', '-z', '--', path])).stdout.length > 0
}
