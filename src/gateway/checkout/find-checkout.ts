import { existsSync, lstatSync, readdirSync, realpathSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { readRegular } from '../../io/git/read-regular.js'
import type { CheckoutPlace } from './checkout.js'

/**
 * The linked worktree of a branch, found in the repository's own records: the one that has the branch checked
 * out, or that lies where ours would lie. Undefined where git knows of none.
 */
export function findCheckout(
  commonDir: string,
  branch: string,
  expectedPath: string,
): CheckoutPlace | undefined {
  const places = linkedWorktrees(commonDir).map(gitDir => ({
    gitDir,
    path: pathOf(gitDir),
    branch,
  }))
  return (
    places.find(({ path }) => path === expectedPath) ??
    places.find(({ gitDir }) => readSmall(join(gitDir, 'HEAD')) === `ref: ${branch}`)
  )
}

/**
 * True where the directory of a worktree and its registration name each other. A registration alone proves nothing:
 * whoever made the repository may have written there any directory of the user's.
 */
export function isLinked({ path, gitDir }: Pick<CheckoutPlace, 'path' | 'gitDir'>): boolean {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) return false
  const named = /^gitdir: (.+)$/.exec(readSmall(join(path, '.git')))?.[1]
  return named !== undefined && pathOf(gitDir) === path && isSame(resolve(path, named), gitDir)
}

function isSame(a: string, b: string): boolean {
  return a === b || (existsSync(a) && realpathSync(a) === realpathSync(b))
}

function linkedWorktrees(commonDir: string): readonly string[] {
  const directory = join(commonDir, 'worktrees')
  if (!lstatSync(directory, { throwIfNoEntry: false })?.isDirectory()) return []
  return readdirSync(directory).map(name => join(directory, name))
}

/** The file `gitdir` names the worktree's `.git` file, mostly in full; '' where it names nothing. */
function pathOf(gitDir: string): string {
  const named = readSmall(join(gitDir, 'gitdir'))
  return named === '' ? '' : dirname(resolve(gitDir, named))
}

function readSmall(path: string): string {
  return readRegular(path, pointerBytes)?.toString('utf8').trimEnd() ?? ''
}

const pointerBytes = 65_536
