// Checks what git itself says of a worktree and of a repository after commits were replayed into them.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { gitBytes, gitText, tryGit } from './git.mjs'

/**
 * The paths that `git status` shows, save those that git shows as changed in a checkout of its own as well: there are
 * commits whose attributes contradict their content.
 * @param {string} workTree
 * @param {string} scratch
 * @returns {readonly string[]}
 */
export function listUnclean(workTree, scratch) {
  const shown = status(workTree)
  if (shown.length === 0) return []
  const fresh = join(scratch, 'fresh')
  gitBytes(workTree, ['worktree', 'add', '--quiet', '--detach', fresh, 'HEAD'])
  const alsoShown = new Set(status(fresh))
  gitBytes(workTree, ['worktree', 'remove', '--force', fresh])
  rmSync(fresh, { recursive: true, force: true })
  return shown.filter(line => !alsoShown.has(line))
}

/** @param {string} workTree */
function status(workTree) {
  return gitText(workTree, ['status', '--porcelain', '-z']).split('\0').filter(Boolean)
}

/**
 * What `git fsck` has against a repository that it had not against the original one.
 * @param {string} repository
 * @param {string} original
 * @returns {readonly string[]}
 */
export function listDamage(repository, original) {
  const damage = fsck(repository)
  if (damage.length === 0) return []
  const known = new Set([...fsck(original), ...missingIn(original, damage)])
  return damage.filter(line => !known.has(line))
}

/**
 * Of the objects that are told to be missing those that a partial original lacks as well: git does not tell of them
 * where it may fetch them.
 * @param {string} original
 * @param {readonly string[]} damage
 */
function missingIn(original, damage) {
  const told = damage.filter(line => line.startsWith('missing '))
  const oids = told.map(line => line.split(' ').at(-1) ?? '')
  if (oids.length === 0) return []
  const input = `${oids.join('\n')}\n`
  const lines = gitText(original, ['cat-file', '--batch-check'], input).split('\n')
  const missing = told.filter((_, index) => lines[index]?.endsWith(' missing'))
  const isAll = missing.length === damage.length - 1
  return isAll ? [...missing, damage.at(-1) ?? ''] : missing
}

/**
 * Its findings, and how it ended as the last of them.
 * @param {string} repository
 */
function fsck(repository) {
  const { status, stdout, stderr } = tryGit(repository, ['fsck', '--no-dangling', '--no-progress'])
  if (status === 0) return []
  // From where a missing object is first found missing is chance; that it is missing has a line of its own.
  const lines = `${stdout}${stderr}`
    .split('\n')
    .filter(line => !/^(?:broken link| +to |$)/.test(line))
  return [...lines, `git fsck ended with ${status}`]
}
