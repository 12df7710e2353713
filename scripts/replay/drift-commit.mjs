// Makes the edits of a commit as if its files had been read some commits before, and judges what comes of them.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { oldFile } from './drift-file.mjs'
import { gitBytes, gitText, tryGit } from './git.mjs'
import { readAnchors } from './replay-said.mjs'

/** @typedef {import('./read-commit.mjs').FileChange} FileChange */
/** @typedef {import('./read-commit.mjs').CommitContent} CommitContent */
/** @typedef {import('./read-commit.mjs').HistoryCommit} HistoryCommit */
/** @typedef {import('./replay-commit.mjs').Place} Place */
/** @typedef {import('./dialects/said-file.mjs').Dialect} Dialect */
/** @typedef {import('./dialects/said-file.mjs').SaidFile} SaidFile */
/** @typedef {import('./tally.mjs').Tally} Tally */

/**
 * @typedef {object} Drift
 * @property {Dialect} dialect
 * @property {number} distance How many commits before the parent the files were read.
 * @property {string} parent
 * @property {number} turn
 * @property {string} scratch
 * @property {Tally} tally
 */

/**
 * Sends the edit of each changed file twice at its older revision: as it is, which must be refused, and to be rebased.
 * @param {Place} place It stands at the parent.
 * @param {HistoryCommit} commit
 * @param {CommitContent} content
 * @param {Drift} drift
 */
export async function driftCommit(place, commit, content, drift) {
  const { tally, parent, distance } = drift
  const read = tryGit(place.path, ['rev-parse', '--verify', `${parent}~${distance}`])
  if (read.status !== 0) return tally.add('not tried', 'no such commit', content.changes.length)
  const ancestor = read.stdout.toString().trim()
  // Some of the edits land, and move the branch.
  delete place.tip
  for (const change of content.changes) {
    const edit = oldFile(place.path, ancestor, change, content)
    if (typeof edit === 'string') tally.add('not tried', edit)
    else await driftFile(place, commit, { ...edit, ancestor }, drift)
  }
}

/** @typedef {import('./drift-file.mjs').OldEdit & { readonly ancestor: string }} OldEdit */

/**
 * @param {Place} place
 * @param {HistoryCommit} commit
 * @param {OldEdit} edit
 * @param {Drift} drift
 */
async function driftFile(place, commit, edit, drift) {
  const { dialect, turn, tally } = drift
  const { file } = edit
  const context = {
    anchors: () => anchorsThen(place, edit),
    head: edit.ancestor,
    turn: turn | 1,
  }
  const said = await dialect.say({ ...file, section: () => sectionOf(place, edit) }, context)
  if (typeof said === 'string') return tally.add('not tried', said)
  const body = dialect.join([{ file, said }], context)
  const expected = mergeByGit(drift.scratch, edit)
  const before = blobAt(place, file.path)
  const plain = await send(place, commit, body)
  const after = blobAt(place, file.path)
  tally.add('without rebase', judge(plain, { before, after, edit, expected: undefined }, drift))
  if (after !== before) return
  const rebased = await send(place, commit, { ...body, on_conflict: 'rebase' })
  const landed = blobAt(place, file.path)
  tally.add('with rebase', judge(rebased, { before, after: landed, edit, expected }, drift))
}

/**
 * @param {Place} place
 * @param {HistoryCommit} commit
 * @param {object} body
 */
async function send({ server, worktree }, { message }, body) {
  const sent = {
    ...body,
    ...(message !== '' && { message: message.slice(0, 1_000).toWellFormed() }),
  }
  const path = `/v1/worktrees/${encodeURIComponent(worktree)}/batches`
  const answer = await server.post(path, sent)
  const codes = (answer.body?.failures ?? [answer.body]).map(
    (/** @type {{ code?: string }} */ one) => one?.code,
  )
  const isSlip =
    answer.status !== 201 && codes.every((/** @type {unknown} */ code) => code === 'SUSPECT_TEXT')
  return { sent, answer: isSlip ? await server.post(path, { ...sent, literal: true }) : answer }
}

/**
 * The name of what happened. Whatever lands must be the file of the commit; where git merges to something else, that.
 * @param {{ readonly sent: object, readonly answer: import('./server.mjs').Answer }} attempt
 * @param {{ readonly before: string, readonly after: string, readonly edit: OldEdit, readonly expected: { readonly oid: string | undefined } | undefined }} outcome
 * @param {Drift} drift
 */
function judge({ sent, answer }, { before, after, edit, expected }, { tally }) {
  const { wanted, file } = edit
  const hasLanded = answer.status === 201 || after !== before
  if (!hasLanded) {
    if (answer.status === 200) return 'nothing to do'
    const { code } = answer.body
    if (['CONTENT_REV_CONFLICT', 'MERGE_CONFLICT'].includes(code)) {
      const isMerged = expected?.oid !== undefined && code === 'MERGE_CONFLICT'
      return isMerged ? 'refused what git merges' : `conflict refused ${code}`
    }
    return `other refusal ${code}`
  }
  if (after === wanted) return 'landed right'
  if (expected?.oid === after) return 'landed as git merges, another place than in the commit'
  tally.add('wrong', file.path)
  console.log(
    `WRONG ${file.path}: ${after}, wanted ${wanted}, git merges ${expected?.oid}\n${JSON.stringify(sent)}`,
  )
  return 'WRONG'
}

/**
 * What git makes of the file that stands, with the edit that was made on the older one; no id where it conflicts.
 * @param {string} scratch
 * @param {OldEdit} edit
 */
function mergeByGit(scratch, { file, current }) {
  const sides = { current, older: file.before ?? '', edited: file.after ?? '' }
  for (const [name, bytes] of Object.entries(sides)) writeFileSync(join(scratch, name), bytes)
  const merged = tryGit(scratch, ['merge-file', '-p', '-q', 'current', 'older', 'edited'])
  if (merged.status !== 0) return { oid: undefined }
  const format = (file.rev ?? '').length === 64 ? ['-c', 'extensions.objectFormat=sha256'] : []
  return {
    oid: gitText(scratch, [...format, 'hash-object', '--no-filters', '--stdin'], merged.stdout),
  }
}

/**
 * What git prints of the edit, under the name of the file.
 * @param {Place} place
 * @param {OldEdit} edit
 */
function sectionOf({ path }, { file }) {
  const name = file.path
  if (!/^[\w./@+-]+$/.test(name)) return undefined
  const young = gitText(path, ['hash-object', '-w', '--stdin', '--no-filters'], file.after ?? '')
  const args = ['diff', '--full-index', '--no-textconv', '--no-ext-diff', file.rev ?? '', young]
  const printed = gitBytes(path, args)
  const hunks = printed.subarray(Math.max(0, printed.indexOf('\n@@ ') + 1))
  const head = `diff --git a/${name} b/${name}\nindex ${file.rev}..${young} 100644\n--- a/${name}\n+++ b/${name}\n`
  return Buffer.concat([Buffer.from(head), hunks])
}

/**
 * The anchors as they were read then, in a worktree of that commit.
 * @param {Place} place
 * @param {OldEdit} edit
 */
async function anchorsThen({ server }, { file, ancestor }) {
  const opened = await server.post('/v1/worktrees', {
    agent: `reader-${ancestor.slice(0, 12)}`,
    base: ancestor,
    files: 'none',
    view: 'hashline',
  })
  if (opened.status !== 201) throw new Error(`no reader: ${JSON.stringify(opened.body)}`)
  return readAnchors({ server, worktree: opened.body.id }, file.path)
}

/**
 * @param {Place} place
 * @param {string} path
 */
function blobAt({ path: workTree, branch }, path) {
  return gitText(workTree, ['rev-parse', `${branch}:${path}`])
}

/**
 * @param {Tally} tally
 * @returns {readonly (readonly [label: string, value: string])[]}
 */
export function driftRows(tally) {
  return ['without rebase', 'with rebase', 'not tried', 'wrong'].map(group => [
    group,
    `${tally.total(group)} (${tally.line(group)})`,
  ])
}
