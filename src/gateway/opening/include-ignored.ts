import { fixedLimits } from '../../core/limits.js'
import { parseRepoPath, type RepoPath } from '../../core/repo-path.js'
import { FileInclusion } from '../../io/files/include-files.js'
import { openDirectory, removeEmptyDirectories } from '../../io/files/safe-walk.js'
import { ignoredPaths } from '../../io/git/check-ignored.js'
import { listIgnored } from '../../io/git/list-files.js'
import type { Checkout } from '../checkout/checkout.js'
import type { IncludedAnswer, LeftOut } from '../telling/answers.js'
import { chooseIgnored, listWithKinds } from './choose-ignored.js'

/** Paths of one question to git, which gives up all of them where it cannot look at one. */
const askedAtOnce = 64

/**
 * Gives a new worktree files of the person's own checkout that git ignores in both: tools need them, and no commit has
 * them. Answers what came and what did not; it never fails, since a worktree without them is still one.
 */
export async function includeIgnored(
  checkout: Checkout,
  patterns: readonly string[],
): Promise<IncludedAnswer> {
  const leftOut = new LeftOutList(checkout.onFault)
  const { workTree, commonDir } = checkout.served.repository
  if (workTree === undefined) {
    leftOut.add('.', 'no_checkout')
    return { files: 0, links: 0, bytes: 0, paths: [], ...leftOut.told() }
  }
  const paths: string[] = []
  const inclusion = new FileInclusion(workTree, checkout.path, leftOut.add)
  try {
    const { files: ignored } = await listIgnored(
      checkout.served.repository.place(commonDir, workTree),
    )
    const chosen = chooseIgnored(workTree, ignored, patterns)
    for (const pattern of chosen.unused) leftOut.add(pattern, 'no_match')
    for (let at = 0; at < chosen.paths.length; at += askedAtOnce) {
      const some = await ignoredHere(checkout, chosen.paths.slice(at, at + askedAtOnce), leftOut)
      for (const path of some) await inclusion.include(path)
      paths.push(...some)
    }
  } catch (error) {
    leftOut.add('.', 'failed', error)
  }
  return { ...inclusion.done, paths: paths.slice(0, fixedLimits.includedPaths), ...leftOut.told() }
}

/**
 * Those of the paths that git ignores in the worktree, too: its commit may have other patterns. A directory is made
 * before git is asked, because some patterns mean directories only; an empty one is none to git.
 */
async function ignoredHere(
  checkout: Checkout,
  paths: readonly string[],
  leftOut: LeftOutList,
  depth = 0,
): Promise<readonly RepoPath[]> {
  const plain = paths.flatMap(path => {
    const parsed = parsePath(path)
    const made = parsed && makeDirectory(checkout, path)
    if (parsed !== undefined && made !== undefined) return [{ path: parsed, made }]
    leftOut.add(path, parsed === undefined ? 'name' : 'exists')
    return []
  })
  const ignored = await ignoredPaths(
    checkout.place,
    plain.map(({ path }) => path),
  )
  const found: RepoPath[] = []
  for (const { path, made } of plain) {
    const within = ignored.has(path) ? undefined : partsOf(checkout, path, depth)
    if (within === undefined) found.push(path)
    else if (within.length > 0)
      found.push(...(await ignoredHere(checkout, within, leftOut, depth + 1)))
    else leftOut.add(path, 'not_ignored')
    if (!ignored.has(path)) removeEmptyDirectories(checkout.path, path, made)
  }
  return found
}

/** A pattern such as `/build/*` ignores all that is in a directory, and not the directory. */
function partsOf({ served }: Checkout, path: RepoPath, depth: number): readonly string[] {
  const { workTree = '' } = served.repository
  if (depth > 0) return []
  return listWithKinds(workTree, path).slice(0, fixedLimits.includeLooks)
}

const becomesLink = /(?:^|\/)node_modules\/(?:@[^/]+\/)?(?!@|\.bin\/)[^/]+\/$/

function parsePath(path: string): RepoPath | undefined {
  try {
    return parseRepoPath(path.replace(/\/$/, ''))
  } catch {
    return undefined
  }
}

/**
 * How many directories were made for a path that ends in a slash; undefined where something else is in the way. A package
 * becomes a link, and so needs none.
 */
function makeDirectory(checkout: Checkout, path: string): number | undefined {
  if (!path.endsWith('/') || becomesLink.test(path)) return 0
  try {
    const opened = openDirectory(checkout.path, path.slice(0, -1), 'create')
    opened?.close()
    return opened?.made
  } catch {
    return undefined
  }
}

/** What was left out: the first of it by name, and how much in all. */
class LeftOutList {
  readonly #first: LeftOut[] = []
  readonly #onFault: (error: unknown) => void
  #total = 0

  constructor(onFault: (error: unknown) => void) {
    this.#onFault = onFault
  }

  readonly add = (path: string, why: LeftOut['why'], error?: unknown): void => {
    this.#total += 1
    if (error !== undefined) this.#onFault(error)
    if (this.#first.length < fixedLimits.includedPaths) {
      this.#first.push({ path: path.slice(0, 500), why })
    }
  }

  told(): Pick<IncludedAnswer, 'left_out' | 'left_out_total'> {
    return this.#total === 0 ? {} : { left_out: this.#first, left_out_total: this.#total }
  }
}
