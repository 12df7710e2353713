// What an agent would search for to find the place of a change.

import { tryGit } from '../replay/git.mjs'
import { linesOf } from './token-edits.mjs'

/** @typedef {import('./token-repositories.mjs').CommitFile} CommitFile */

const mostNames = 40

/**
 * The rarest name of the changed lines, or of those beside them where nothing was taken away, by the lines of the
 * repository that hold it; undefined where there is no name.
 * @param {string} place
 * @param {string} commit whose files are searched
 * @param {readonly CommitFile[]} files
 * @returns {string | undefined}
 */
export function searchTerm(place, commit, files) {
  const names = [...new Set(files.flatMap(namesOf))].slice(0, mostNames)
  /** @type {string | undefined} */
  let best
  let fewest = Number.POSITIVE_INFINITY
  for (const name of names) {
    const count = tryGit(place, ['grep', '-c', '-F', '-e', name, commit])
      .stdout.toString()
      .split('\n')
      .reduce((sum, line) => sum + Number(/:(\d+)$/.exec(line)?.[1] ?? 0), 0)
    if (count > 0 && count < fewest) {
      best = name
      fewest = count
    }
  }
  return best
}

/** @param {CommitFile} file */
function namesOf({ before, blocks }) {
  const lines = linesOf(before)
  const near = blocks.flatMap(({ oldStart, oldEnd }) =>
    oldEnd > oldStart
      ? lines.slice(oldStart, oldEnd)
      : lines.slice(Math.max(0, oldStart - 1), oldEnd + 1),
  )
  return near.join('').match(/[A-Za-z_$][\w$]{3,}/g) ?? []
}
