// Replays one commit in a dialect: first natively what the dialect cannot say, then the rest of it as one batch.
import { readSections } from './read-commit.mjs'
import { finishByPlumbing, problemOf, sendBatch, specialChanges, tipOf } from './replay-commit.mjs'
import { planInstead, planNative, sayChanges } from './say-commit.mjs'

/** @typedef {import('./read-commit.mjs').FileChange} FileChange */
/** @typedef {import('./read-commit.mjs').CommitContent} CommitContent */
/** @typedef {import('./read-commit.mjs').HistoryCommit} HistoryCommit */
/** @typedef {import('./replay-commit.mjs').Place} Place */
/** @typedef {import('./dialects/said-file.mjs').Dialect} Dialect */
/** @typedef {import('./say-commit.mjs').SaidChange} SaidChange */

/**
 * @typedef {object} ReplayedSaid
 * @property {string} [problem] Undefined where the commit came out as the original.
 * @property {string | undefined} made
 * @property {unknown} sent
 * @property {any} answered
 * @property {readonly string[]} byPlumbing
 * @property {number} ops Said in the dialect and accepted.
 * @property {readonly string[]} native Why something was said natively, once for each.
 * @property {readonly string[]} refused Codes of refusals that were not expected.
 * @property {boolean} isLiteral The batch was sent again as meant literally, as its refusal asked.
 * @property {number} batches
 * @property {number} milliseconds
 * @property {readonly { readonly code: string }[]} warnings
 */

/**
 * @param {Place} place
 * @param {HistoryCommit} commit
 * @param {CommitContent} content
 * @param {{ readonly dialect: Dialect, readonly parent: string, readonly turn: number }} how
 * @returns {Promise<ReplayedSaid>}
 */
export async function replaySaid(place, commit, content, { dialect, parent, turn }) {
  const refused = specialChanges(content)
  const changes = content.changes.filter(change => !refused.has(change))
  const sections = sectionsOf(place, parent, commit, content, dialect)
  const said = await sayChanges(dialect, changes, content, {
    anchors: change => readAnchors(place, change.before?.name.text ?? ''),
    section: change => sections?.get(change),
    turn,
  })
  const left = () => said.filter(({ change }) => !refused.has(change))
  const start = place.tip ?? tipOf(place)
  const first = await sendBatch(place, commit, refused, () => planNative(left(), content))
  const middle = first.answered?.commit ?? start
  const context = { anchors: async () => [], head: middle, turn }
  const spoken = await speak(place, commit, refused, () => planSaid(dialect, left(), context))
  const isRefused = spoken.problem !== undefined
  const instead = isRefused
    ? await sendBatch(place, commit, refused, () => planInstead(left().filter(isSaid), content))
    : undefined
  const problem =
    first.problem ??
    instead?.problem ??
    problemOf(first.answered, start) ??
    problemOf(isRefused ? instead?.answered : spoken.answered, middle)
  const batches = [first, spoken, instead].flatMap(one => (one?.planned ? [one] : []))
  const told = {
    sent: spoken.sent ?? first.sent,
    answered: spoken.answered ?? first.answered,
    byPlumbing: [...refused.values()],
    ops: isRefused ? 0 : left().reduce((sum, { said: one }) => sum + opsOf(one), 0),
    native: left().flatMap(reasonsOf),
    refused: isRefused ? codesOf(spoken.answered) : [],
    isLiteral: spoken.isLiteral,
    batches: batches.length,
    milliseconds: batches.reduce((sum, one) => sum + one.milliseconds, 0),
    warnings: batches.flatMap(({ answered }) => answered?.warnings ?? []),
  }
  if (problem !== undefined) return { ...told, made: tipOf(place), problem }
  return { ...told, ...finishByPlumbing(place, commit, refused) }
}

/**
 * @param {Place} place
 * @param {string} parent
 * @param {HistoryCommit} commit
 * @param {CommitContent} content
 * @param {Dialect} dialect
 */
function sectionsOf({ path }, parent, commit, { changes }, { name }) {
  return name === 'unified_diff' ? readSections(path, parent, commit.id, changes) : undefined
}

/**
 * Sends the batch; where its refusal says that the text looks like a slip, again as meant literally.
 * @param {Place} place
 * @param {HistoryCommit} commit
 * @param {Map<FileChange, string>} refused
 * @param {() => import('./plan-batch.mjs').PlannedBatch} plan
 */
async function speak(place, commit, refused, plan) {
  const sent = await sendBatch(place, commit, refused, plan)
  if (
    sent.problem === undefined ||
    !codesOf(sent.answered).every(code => code === 'SUSPECT_TEXT')
  ) {
    return { ...sent, isLiteral: false }
  }
  const literally = await sendBatch(place, commit, refused, () => {
    const planned = plan()
    return { ...planned, body: { ...planned.body, literal: true } }
  })
  return { ...literally, isLiteral: true }
}

/**
 * @param {Dialect} dialect
 * @param {readonly SaidChange[]} said
 * @param {import('./dialects/said-file.mjs').SayContext} context
 */
function planSaid(dialect, said, context) {
  const files = said.flatMap(({ file, said: one }) =>
    typeof one === 'string' ? [] : [{ file, said: one }],
  )
  const owners = said.filter(isSaid).map(({ change }) => change)
  return { edits: [], owners, wholeFiles: [], body: dialect.join(files, context) }
}

/** @param {SaidChange} one */
function isSaid({ said }) {
  return typeof said !== 'string'
}

/** @param {SaidChange['said']} said */
function opsOf(said) {
  return typeof said === 'string' ? 0 : said.ops
}

/** @param {SaidChange} one */
function reasonsOf({ said, peeled }) {
  return typeof said === 'string' && said !== 'no_text' ? [said] : peeled
}

/**
 * @param {any} answer
 * @returns {readonly string[]}
 */
function codesOf(answer) {
  const failures = answer?.failures ?? [answer ?? {}]
  return failures.map((/** @type {{ code?: string }} */ { code }) => code ?? 'no code')
}

/**
 * The anchors of a file, as many reads as it takes.
 * @param {Pick<Place, 'server' | 'worktree'>} place
 * @param {string} path
 */
export async function readAnchors({ server, worktree }, path) {
  /** @type {string[]} */
  const anchors = []
  const file = `/v1/worktrees/${encodeURIComponent(worktree)}/file?path=${encodeURIComponent(path)}`
  for (let next = 1; ; ) {
    const { status, body } = await server.get(`${file}&lines=${next}-`)
    if (status !== 200) throw new Error(`${path} cannot be read: ${status} ${body.code}`)
    for (const line of body.text.split('\n').filter(Boolean)) {
      anchors.push(line.slice(0, line.indexOf('→')))
    }
    if (body.next_line === undefined) return anchors
    next = body.next_line
  }
}
