import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
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

/** True where the directory of a worktree and the registration still belong together. */
export function isLinked({ path, gitDir }: CheckoutPlace): boolean {
  return (
    lstatSync(join(path, '.git'), { throwIfNoEntry: false }) !== undefined &&
    pathOf(gitDir) === path
  )
}

function linkedWorktrees(commonDir: string): readonly string[] {
  const directory = join(commonDir, 'worktrees')
  if (!lstatSync(directory, { throwIfNoEntry: false })?.isDirectory()) return []
  return readdirSync(directory).map(name => join(directory, name))
}

/** The file `gitdir` names the worktree's `.git` file. */
function pathOf(gitDir: string): string {
  return dirname(readSmall(join(gitDir, 'gitdir')))
}

function readSmall(path: string): string {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  return stat?.isFile() && stat.size < 65_536 ? readFileSync(path, 'utf8').trimEnd() : ''
}
