import { Refusal } from '../../core/errors.js'
import { fixedLimits, type Limits } from '../../core/limits.js'
import { parseRepoPath } from '../../core/repo-path.js'
import { ignoredPaths } from '../../io/git/check-ignored.js'
import { worktreeStatus } from '../checkout/absent-files.js'
import type { Checkout } from '../checkout/checkout.js'
import type { WorkingFile } from '../checkout/working-file.js'
import { currentTree } from '../landing/apply-change.js'
import type { SeenChanges } from './watch-checkout.js'

/** Files that are not what head holds. */
export interface Drift {
  readonly paths: readonly string[]
  /** Others of them that were not looked at. */
  readonly more: number
}

/** Finds, among what seems changed, what others did; what git ignores is nobody's drift. */
export class DriftTold {
  /** What was told of a path, so that nobody hears twice of one change. */
  readonly #told = new Map<string, string>()

  /** What drifted since it was told last. Git is asked first where so much seems changed that most may be our own work. */
  async fresh(checkout: Checkout, seen: SeenChanges, limits: Limits): Promise<Drift> {
    const isMuch = seen.more > 0 || seen.paths.length > fixedLimits.driftPaths
    const changed = isMuch ? (await worktreeStatus(checkout)).map(({ path }) => path) : seen.paths
    const looked = changed.slice(0, fixedLimits.driftPaths)
    const paths = await this.#among(checkout, looked, limits)
    return { paths, more: changed.length - looked.length }
  }

  async #among(
    checkout: Checkout,
    paths: readonly string[],
    limits: Limits,
  ): Promise<readonly string[]> {
    const files = await lookAt(checkout, paths, limits)
    const drifted = files.filter(({ drifted }) => drifted)
    const unknown = drifted.filter(({ head }) => head === undefined).map(({ path }) => path)
    const ignored = await ignoredPaths(checkout.place, unknown)
    for (const { path, drifted } of files) if (!drifted) this.#told.delete(path)
    return drifted.flatMap(({ path, blob }) => {
      const state = blob === undefined ? 'gone' : `${blob.mode} ${blob.oid}`
      if (ignored.has(path) || this.#told.get(path) === state) return []
      if (this.#told.size >= fixedLimits.seenPaths) this.#told.clear()
      this.#told.set(path, state)
      return [path]
    })
  }
}

async function lookAt(
  checkout: Checkout,
  paths: readonly string[],
  limits: Limits,
): Promise<readonly WorkingFile[]> {
  const tree = await currentTree(checkout, limits)
  const files: WorkingFile[] = []
  for (const path of paths) {
    try {
      files.push(await tree.file(parseRepoPath(path)))
    } catch (error) {
      // Links, pipes, what is too large: whoever asks for them hears why.
      if (!(error instanceof Refusal)) throw error
    }
  }
  return files
}
