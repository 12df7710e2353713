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
 * @property {string} [tip] The commit that the branch stands at, where it is known.
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
  const before = place.tip ?? tipOf(place)
  const refused = specialChanges(content)
  const batch = await sendBatch(place, commit, refused, () => {
    const rest = content.changes.filter(change => !refused.has(change))
    return planBatch(rest, content)
  })
  const told = { ...batch, byPlumbing: [...refused.values()] }
  const problem = batch.problem ?? problemOf(batch.answered, before)
  if (problem !== undefined) return { ...told, made: batch.answered?.commit, problem }
  return { ...told, ...finishByPlumbing(place, commit, refused) }
}

/**
 * The changes that the gateway refuses by design, with the reason.
 * @param {CommitContent} content
 * @returns {Map<FileChange, string>}
 */
export function specialChanges({ changes }) {
  return new Map(
    changes.flatMap(change => {
      const reason = refusedByDesign(change)
      return reason === undefined ? [] : [[change, reason]]
    }),
  )
}

/**
 * Does by git what was refused, and compares the tree.
 * @param {Place} place
 * @param {HistoryCommit} commit
 * @param {ReadonlyMap<FileChange, string>} refused
 */
export function finishByPlumbing(place, commit, refused) {
  if (refused.size > 0) applyByPlumbing(place.path, [...refused.keys()], commit.message)
  const { branch } = place
  const revisions = [branch, `${branch}^{tree}`, `${commit.id}^{tree}`]
  const [made, tree, wanted] = gitText(place.path, ['rev-parse', ...revisions]).split('\n')
  place.tip = made ?? ''
  return { made, ...(tree !== wanted && { problem: `tree ${tree}, wanted ${wanted}` }) }
}

/**
 * @typedef {object} SentBatch
 * @property {unknown} sent
 * @property {any} answered
 * @property {import('./plan-batch.mjs').PlannedBatch} [planned] What was accepted.
 * @property {number} milliseconds
 * @property {string} [problem]
 */

/**
 * Sends the batch that is planned, and again without what is refused by design, which is noted in `refused`.
 * @param {Place} place
 * @param {HistoryCommit} commit
 * @param {Map<FileChange, string>} refused
 * @param {() => import('./plan-batch.mjs').PlannedBatch} plan
 * @returns {Promise<SentBatch>}
 */
export async function sendBatch({ server, worktree }, commit, refused, plan) {
  for (;;) {
    const planned = plan()
    if (planned.owners.length === 0)
      return { sent: undefined, answered: undefined, milliseconds: 0 }
    const message = commit.message.slice(0, messageChars).toWellFormed()
    const sent = {
      ...(planned.body ?? { edits: planned.edits }),
      ...(message !== '' && { message }),
    }
    const started = performance.now()
    const answer = await server.post(`/v1/worktrees/${encodeURIComponent(worktree)}/batches`, sent)
    const milliseconds = performance.now() - started
    const answered = answer.body
    if (answer.status === 201) return { sent, answered, planned, milliseconds }
    const more = refusedToo(answered, planned, [...refused.keys()])
    if (more.length === 0) {
      const problem = `refused with ${answer.status} ${answered.code}`
      return { sent, answered, milliseconds, problem }
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
function refusedToo(answer, { owners, body }, special) {
  /** @type {readonly { code: string, path?: string, index?: number, obstacle?: any }[]} */
  const failures = answer.failures ?? [answer]
  const isByDesign = failures.every(({ code, path = '', obstacle }) => {
    const inTheWay = obstacle?.path ?? obstacle ?? path
    return designCodes.includes(code) || (specialCodes.includes(code) && touches(special, inTheWay))
  })
  if (!isByDesign) return []
  // What is found out beside the edits names no edit: a filter names its file, a link the place above one.
  const refused = failures.flatMap(({ index, path = '' }) => {
    const owner = body === undefined && index !== undefined ? owners[index] : undefined
    return owner === undefined ? owners.filter(change => isAtOrBelow(change, path)) : [owner]
  })
  return owners.filter(change => refused.includes(change))
}

/**
 * @param {FileChange} change
 * @param {string} path
 */
function isAtOrBelow({ before, after }, path) {
  const names = [before?.name.text, after?.name.text]
  return names.some(name => name === path || name?.startsWith(`${path}/`))
}

/**
 * True where one of the changes is at the path, above it or below it.
 * @param {readonly FileChange[]} changes
 * @param {string} path
 */
export function touches(changes, path) {
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
export function problemOf(receipt, before) {
  if (receipt === undefined) return undefined
  if (receipt.parent !== before) return `made on ${receipt.parent}, not on ${before}`
  /** @type {readonly { code: string }[]} */
  const warnings = receipt.warnings
  const warning = warnings.find(({ code }) => alarming.includes(code))
  return warning && `warned of ${warning.code}`
}

/** @param {Place} place */
export function tipOf({ path, branch }) {
  return gitText(path, ['rev-parse', branch])
}
