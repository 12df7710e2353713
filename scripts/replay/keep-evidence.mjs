// Keeps what is needed to look into a replayed commit that did not come out right.
import { copyFileSync, existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gitBytes, tryGit } from './git.mjs'

/**
 * @typedef {object} Evidence
 * @property {string} repository
 * @property {string} log The server's log.
 * @property {{ readonly id: string, readonly message: string }} commit
 * @property {string} parent The commit it was made on, in the original history.
 * @property {string} problem
 * @property {string | undefined} made The commit that was made of it, if any.
 * @property {unknown} sent
 * @property {unknown} answered
 */

/**
 * Writes the batch, the answer, the log and three blobs of each file that differs; answers the folder.
 * @param {Evidence} evidence
 */
export function keepEvidence({ repository, log, commit, parent, made, ...told }) {
  const folder = mkdtempSync(join(tmpdir(), 'editlatch-replay-mismatch-'))
  const different = made === undefined ? [] : listDifferent(repository, commit.id, made)
  const files = different.map((path, index) => {
    const keep = (/** @type {string} */ kind, /** @type {string} */ revision) =>
      keepBlob(repository, `${revision}:${path}`, join(folder, `${index}-${kind}`))
    keep('before', parent)
    keep('wanted', commit.id)
    if (made !== undefined) keep('made', made)
    return { index, path }
  })
  const summary = { original: commit.id, parent, made, ...told, files }
  writeFileSync(join(folder, 'mismatch.json'), JSON.stringify(summary, null, 2))
  if (existsSync(log)) copyFileSync(log, join(folder, 'server.log'))
  return { folder, paths: different }
}

/**
 * @param {string} repository
 * @param {string} wanted
 * @param {string} made
 */
function listDifferent(repository, wanted, made) {
  const names = gitBytes(repository, ['diff-tree', '-r', '-z', '--name-only', wanted, made])
  return names.toString('utf8').split('\0').filter(Boolean).slice(0, 100)
}

/**
 * @param {string} repository
 * @param {string} object
 * @param {string} file
 */
function keepBlob(repository, object, file) {
  const { status, stdout } = tryGit(repository, ['cat-file', 'blob', object])
  if (status === 0) writeFileSync(file, stdout)
}
