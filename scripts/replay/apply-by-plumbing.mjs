// Does with the person's own git what the gateway refuses by design, so that the history can go on.
import { rmdirSync, rmSync } from 'node:fs'
import { gitBytes } from './git.mjs'

/** @typedef {import('./read-commit.mjs').FileChange} FileChange */

/**
 * Brings the paths of these changes to what they became, in the index, in a commit and on the disk.
 * @param {string} workTree
 * @param {readonly FileChange[]} changes
 * @param {string} message
 */
export function applyByPlumbing(workTree, changes, message) {
  const gone = changes.flatMap(({ before }) => before ?? [])
  const stands = changes.flatMap(({ after }) => after ?? [])
  for (const { name } of gone) removeFile(workTree, name.bytes)
  const zero = '0'.repeat((gone[0] ?? stands[0])?.oid.length ?? 40)
  const lines = [
    ...gone.map(({ name }) => `0 ${zero}\t${name.bytes}\0`),
    ...stands.map(({ mode, oid, name }) => `${mode} ${oid}\t${name.bytes}\0`),
  ]
  gitBytes(workTree, ['update-index', '-z', '--index-info'], latin1(lines.join('')))
  gitBytes(workTree, ['commit', '--quiet', '--no-verify', '--allow-empty', '-m', message])
  const paths = stands.map(({ name }) => `${name.bytes}\0`).join('')
  gitBytes(workTree, ['checkout-index', '-f', '-u', '-z', '--stdin'], latin1(paths))
}

/**
 * Removes a file, a link or the empty folder of a submodule, and the folders that it leaves empty.
 * @param {string} workTree
 * @param {string} path
 */
function removeFile(workTree, path) {
  const place = (/** @type {string} */ below) =>
    Buffer.concat([Buffer.from(`${workTree}/`), latin1(below)])
  rmSync(place(path), { force: true, recursive: true })
  const names = path.split('/')
  for (let depth = names.length - 1; depth > 0; depth -= 1) {
    try {
      rmdirSync(place(names.slice(0, depth).join('/')))
    } catch {
      return
    }
  }
}

/** @param {string} text */
function latin1(text) {
  return Buffer.from(text, 'latin1')
}
