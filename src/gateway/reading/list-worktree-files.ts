import { globMatcher } from '../../core/glob.js'
import { fixedLimits, type Limits } from '../../core/limits.js'
import type { Checkout } from '../checkout/checkout.js'
import type { FilesAnswer } from '../telling/answers.js'

/** Which files to list. */
export interface FilesQuery {
  readonly prefix?: string
  readonly glob?: string
  readonly limit?: number
  /** Bytes of all paths together, each with its break. */
  readonly maxBytes?: number
  /** The last path of the answer before. */
  readonly after?: string
}

/** Files of the worktree that git tracks or would add, sorted by code unit, within the limit. */
export async function listedFiles(
  checkout: Checkout,
  query: FilesQuery,
  limits: Limits,
): Promise<FilesAnswer> {
  checkout.assertThere()
  const { prefix = '', glob, after } = query
  const matches =
    glob === undefined ? () => true : globMatcher(glob, { maxSteps: fixedLimits.globSteps })
  const { files } = await checkout.listing.run()
  const wanted = files.filter(path => path.startsWith(prefix) && matches(path)).sort()
  const rest = after === undefined ? wanted : wanted.filter(path => path > after)
  const few = rest.slice(0, Math.min(query.limit ?? limits.listedFiles, limits.listedFiles))
  const shown = withinBytes(few, query.maxBytes ?? fixedLimits.filesBytes)
  const last = shown.at(-1)
  const truncated = shown.length < rest.length
  return {
    files: shown,
    total: wanted.length,
    truncated,
    ...(truncated && last !== undefined && { next: last }),
  }
}

/** The first paths, as many as fit; one at least, so that a list always goes on. */
function withinBytes(paths: readonly string[], limitBytes: number): readonly string[] {
  let left = limitBytes
  const end = paths.findIndex((path, at) => {
    left -= Buffer.byteLength(path) + 1
    return left < 0 && at > 0
  })
  return end < 0 ? paths : paths.slice(0, end)
}
