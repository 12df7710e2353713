// Picks the files that a benchmark changes: plain text of an ordinary size, from all over the tree.
import { gitBytes } from '../replay/git.mjs'
import { decodeUtf8 } from '../replay/read-commit.mjs'

const wanted = 20
const [leastBytes, mostBytes] = [500, 50_000]

/**
 * @param {string} repository
 * @param {string} commit
 * @returns {readonly (readonly [path: string, text: string])[]}
 */
export function pickTexts(repository, commit) {
  const listed = gitBytes(repository, ['ls-tree', '-r', '-l', '-z', commit]).toString('latin1')
  const paths = listed.split('\0').flatMap(line => {
    const [, mode, size, path = ''] = /^(\d+) blob [0-9a-f]+ +(\d+)\t(.+)$/s.exec(line) ?? []
    const isOrdinary = Number(size) >= leastBytes && Number(size) <= mostBytes
    // Names that begin with a dot, or that are not plain, may be protected.
    return mode === '100644' && isOrdinary && /^[\w][\w./-]*$/.test(path) && !/\/\./.test(path)
      ? [path]
      : []
  })
  const texts = []
  for (let index = 0; texts.length < wanted && index < paths.length; index += 1) {
    // Steps of a prime number visit all, far apart from each other.
    const path = paths[(index * 7919) % paths.length] ?? ''
    const text = decodeUtf8(gitBytes(repository, ['cat-file', 'blob', `${commit}:${path}`]))
    if (text !== undefined && !/[\0\r]/.test(text) && text.includes('\n')) {
      texts.push(/** @type {const} */ ([path, text]))
    }
  }
  if (texts.length === 0) throw new Error('the repository has no ordinary text file')
  return texts
}
