// Replays one commit: as a batch through the gateway, and by git what the gateway refuses by design.
import { applyByPlumbing } from './apply-by-plumbing.mjs'
import { gitText } from './git.mjs'
import { planBatch, refusedByDesign } from './plan-batch.mjs'

/** @typedef {import('./read-commit.mjs').FileChange} FileChange */
/** @typedef {import('./read-commit.mjs').CommitContent} CommitContent */
/** @typedef {import('./read-commit.mjs').HistoryCommit} HistoryCommit */

/**
 * @typedef {object} Place Where commits are replayed to.
 * @property {import('./server.mjs').Server} server
 * @property {string} worktree Its id.
 * @property {string} path
 * @property {string} branch
 */

/**
 * @typedef {object} Replayed
 * @property {string} [problem] Undefined where the commit came out as the original.
 * @property {string | undefined} made The commit that the branch stands at now.
 * @property {unknown} sent
 * @property {any} answered
 * @property {import('./plan-batch.mjs').PlannedBatch} [planned] What was sent as a batch and accepted.
 * @property {readonly string[]} byPlumbing Why files were done by git, once a file.
 * @property {number} milliseconds How long the batch took.
 */

const messageChars = 10_000

/**
 * @param {Place} place
 * @param {HistoryCommit} commit
 * @param {CommitContent} content
 * @returns {Promise<Replayed>}
 */
export async function replayCommit(place, commit, content) {
  const before = tipOf(place).commit
  const batch = await sendBatch(place, commit, content)
  const { refused } = batch
  const told = { ...batch, byPlumbing: [...refused.values()] }
  const problem = batch.problem ?? problemOf(batch.answered, before)
  if (problem !== undefined) return { ...told, made: batch.answered?.commit, problem }
  if (refused.size > 0) applyByPlumbing(place.path, [...refused.keys()], commit.message)
  const { commit: made, tree } = tipOf(place)
  const wanted = gitText(place.path, ['rev-parse', `${commit.id}^{tree}`])
  return { ...told, made, ...(tree !== wanted && { problem: `tree ${tree}, wanted ${wanted}` }) }
}

/**
 * Sends the batch, and again without what is refused by design.
 * @param {Place} place
 * @param {HistoryCommit} commit
 * @param {CommitContent} content
 */
async function sendBatch({ server, worktree }, commit, content) {
  const refused = new Map()
  for (const change of content.changes) {
    const reason = refusedByDesign(change)
    if (reason !== undefined) refused.set(change, reason)
  }
  for (;;) {
    const rest = content.changes.filter(change => !refused.has(change))
    if (rest.length === 0) return { refused, sent: undefined, answered: undefined, milliseconds: 0 }
    const planned = planBatch(rest, content)
    const message = commit.message.slice(0, messageChars).toWellFormed()
    const sent = { edits: planned.edits, ...(message !== '' && { message }) }
    const started = performance.now()
    const answer = await server.post(`/v1/worktrees/${encodeURIComponent(worktree)}/batches`, sent)
    const milliseconds = performance.now() - started
    const answered = answer.body
    if (answer.status === 201) return { refused, sent, answered, planned, milliseconds }
    const more = refusedToo(answered, planned, [...refused.keys()])
    if (more.length === 0) {
      const problem = `refused with ${answer.status} ${answered.code}`
      return { refused, sent, answered, milliseconds, problem }
    }
    for (const change of more) refused.set(change, String(answered.code).toLowerCase())
  }
}

/** What the gateway never does, whatever the file. */
const designCodes = ['UNSUPPORTED_NAME', 'BAD_PATH', 'PROTECTED_PATH', 'TOO_LARGE', 'FILTERED']
/** What it never does where a link or a submodule stands or stood. */
const specialCodes = ['SYMLINK', 'NOT_REGULAR', 'PATH_EXISTS']

/**
 * The changes that an answer refuses by design.
 * @param {any} answer
 * @param {import('./plan-batch.mjs').PlannedBatch} planned
 * @param {readonly FileChange[]} special
 * @returns {readonly FileChange[]}
 */
function refusedToo(answer, { edits, owners }, special) {
  /** @type {readonly { code: string, path?: string, index?: number, obstacle?: any }[]} */
  const failures = answer.failures ?? [answer]
  const isByDesign = failures.every(({ code, path = '', obstacle }) => {
    const inTheWay = obstacle?.path ?? obstacle ?? path
    return designCodes.includes(code) || (specialCodes.includes(code) && touches(special, inTheWay))
  })
  if (!isByDesign) return []
  // What is found out behind the edits, such as a filter, names the file alone.
  const refused = failures.map(
    ({ index, path }) => owners[index ?? edits.findIndex(edit => path === (edit.to ?? edit.path))],
  )
  return owners.filter(change => refused.includes(change))
}

/**
 * True where one of the changes is at the path, above it or below it.
 * @param {readonly FileChange[]} changes
 * @param {string} path
 */
function touches(changes, path) {
  const names = changes.flatMap(({ before, after }) => [before?.name.text, after?.name.text])
  return names.some(
    name =>
      name !== undefined &&
      (name === path || path.startsWith(`${name}/`) || name.startsWith(`${path}/`)),
  )
}

/** Nobody else works here, so none of these may be told. */
const alarming = ['external_changes_committed', 'file_kept', 'worktree_behind']

/**
 * What is wrong with a receipt.
 * @param {any} receipt
 * @param {string} before
 * @returns {string | undefined}
 */
function problemOf(receipt, before) {
  if (receipt === undefined) return undefined
  if (receipt.parent !== before) return `made on ${receipt.parent}, not on ${before}`
  /** @type {readonly { code: string }[]} */
  const warnings = receipt.warnings
  const warning = warnings.find(({ code }) => alarming.includes(code))
  return warning && `warned of ${warning.code}`
}

/** @param {Place} place */
function tipOf({ path, branch }) {
  const [commit = '', tree = ''] = gitText(path, ['rev-parse', branch, `${branch}^{tree}`]).split(
    '\n',
  )
  return { commit, tree }
}
