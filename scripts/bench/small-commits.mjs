// Which commits of a repository are small changes of source files.
import { gitText } from '../replay/git.mjs'

/** @typedef {{ readonly commit: string, readonly parent: string }} SmallCommit */

const newest = 3000
const source = /\.(?:[cm]?[jt]sx?|vue|svelte|py|go|rs|rb|php|java|kt|cs|c|h|cc|cpp|hpp|cxx)$/

/**
 * Commits that only modify one to four source files, by 2 to 40 lines in all; newest first.
 * @param {string} place
 * @returns {readonly SmallCommit[]}
 */
export function smallCommits(place) {
  const asked = [`-n${newest}`, '--no-merges', '--no-renames', '--raw', '-z', '--no-abbrev']
  const log = gitText(place, ['log', ...asked, '--format=%x01%H %P'])
  return log
    .split('\x01')
    .slice(1)
    .flatMap(entry => {
      const [head = '', ...rest] = entry.split('\0').map(part => part.replace(/^\n/, ''))
      const [commit = '', parent = '', ...others] = head.trim().split(' ')
      const told = rest.filter(part => part !== '')
      const isPlain = told.every((part, at) =>
        at % 2 === 0 ? /^:(100[67][45][45]) \1 \S+ \S+ M$/.test(part) : source.test(part),
      )
      const isFew = told.length >= 2 && told.length <= 8
      const isOne = parent !== '' && others.length === 0
      return isOne && isFew && isPlain && isSmall(place, parent, commit) ? [{ commit, parent }] : []
    })
}

/**
 * As many of a list as are asked for, with even spaces between them.
 * @template T
 * @param {readonly T[]} list
 * @param {number} count
 * @returns {readonly T[]}
 */
export function evenlySpaced(list, count) {
  const few = Math.min(count, list.length)
  return list.filter(
    (_, at) => Math.floor((at * few) / list.length) !== Math.floor(((at - 1) * few) / list.length),
  )
}

/**
 * What cannot be compared is not small: a mirror may lack some blobs.
 * @param {string} place
 * @param {string} parent
 * @param {string} commit
 */
function isSmall(place, parent, commit) {
  try {
    const counts = gitText(place, ['diff-tree', '-r', '--numstat', '--no-renames', parent, commit])
    const lines = counts.split('\n').reduce((sum, row) => {
      const [added, removed] = row.split('\t')
      return sum + Number(added) + Number(removed)
    }, 0)
    return lines >= 2 && lines <= 40
  } catch {
    return false
  }
}
