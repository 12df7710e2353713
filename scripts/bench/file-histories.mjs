// The revisions of the text files of a repository, oldest first, along the first parents of HEAD.
import { gitBytes, gitText } from '../replay/git.mjs'

const batchBlobs = 500

/**
 * The blobs that each path has had, one after another; a path that was deleted goes on where it comes back.
 * @param {string} repository
 * @param {number} commits
 * @returns {readonly (readonly string[])[]}
 */
export function fileHistories(repository, commits) {
  const log = gitText(repository, [
    'log',
    '--first-parent',
    '--diff-merges=first-parent',
    '--no-renames',
    '--raw',
    '--no-abbrev',
    '--format=',
    '--diff-filter=AM',
    '--reverse',
    `-${commits}`,
    'HEAD',
  ])
  /** @type {Map<string, string[]>} */
  const histories = new Map()
  for (const line of log.split('\n')) {
    const [, oid, path] = /^:\d+ 100\d+ [0-9a-f]+ ([0-9a-f]+) [AM]\t(.+)$/.exec(line) ?? []
    if (oid === undefined || path === undefined) continue
    const known = histories.get(path)
    if (known === undefined) histories.set(path, [oid])
    else known.push(oid)
  }
  return [...histories.values()].filter(({ length }) => length > 1)
}

/**
 * The bytes of blobs; without those that a partial copy lacks and those beyond a size.
 * @param {string} repository
 * @param {readonly string[]} oids
 * @param {number} maxBytes
 * @returns {ReadonlyMap<string, Uint8Array>}
 */
export function readBlobs(repository, oids, maxBytes) {
  /** @type {Map<string, Uint8Array>} */
  const blobs = new Map()
  for (let from = 0; from < oids.length; from += batchBlobs) {
    const asked = `${oids.slice(from, from + batchBlobs).join('\n')}\n`
    const told = gitBytes(repository, ['cat-file', '--batch'], asked)
    for (let at = 0; at < told.length; ) {
      const end = told.indexOf('\n', at)
      const [oid = '', , size] = told.toString('latin1', at, end).split(' ')
      at = end + 1
      if (size === undefined) continue
      if (Number(size) <= maxBytes) blobs.set(oid, told.subarray(at, at + Number(size)))
      at += Number(size) + 1
    }
  }
  return blobs
}
