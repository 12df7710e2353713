// `npm run replay -- REPO [--commits N] [--until REVISION] [--durability process|power] [--dialect D [--drift N]]`:
// replays the last N commits (300) of a real history through HTTP as batches and compares each commit's tree with the
// original. It works on a clone and stops at the first difference. With `--dialect` the commits are said in that
// dialect with the least context that tells their places; what it has no words for is said natively and counted with
// the reason. With `--drift N` each changed file is edited as if it had been read N commits before. Exit code 1 on a
// difference or a refusal that nothing explains, or when nothing was replayed.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { listDamage, listUnclean } from './replay/check-worktree.mjs'
import { dialects } from './replay/dialects/registry.mjs'
import { driftCommit, driftRows } from './replay/drift-commit.mjs'
import { cloneApart, gitText } from './replay/git.mjs'
import { keepEvidence } from './replay/keep-evidence.mjs'
import { listHistory, readCommit } from './replay/read-commit.mjs'
import { replayCommit } from './replay/replay-commit.mjs'
import { replaySaid } from './replay/replay-said.mjs'
import { startServer } from './replay/server.mjs'
import { renderTable, Tally } from './replay/tally.mjs'
import { stop } from './setup.mjs'

/** @typedef {import('./replay/read-commit.mjs').HistoryCommit} HistoryCommit */
/** @typedef {import('./replay/replay-commit.mjs').Place} Place */

/** Commits between two looks at `git status`. */
const statusEvery = 50

const asked = readArguments()
const scratch = mkdtempSync(join(tmpdir(), 'editlatch-replay-'))
const clone = join(scratch, 'history')
const log = join(scratch, 'server.log')
/** @type {Map<string, ReturnType<typeof readCommit>>} */
const contents = new Map()
let tally = new Tally()
let succeeded = true
let isStopped = false
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  process.once(signal, () => {
    isStopped = true
  })
}
try {
  await replay()
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
process.exitCode = succeeded ? 0 : 1

function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      commits: { type: 'string', default: '300' },
      until: { type: 'string', default: 'HEAD' },
      durability: { type: 'string', default: 'process' },
      dialect: { type: 'string' },
      drift: { type: 'string', default: '0' },
    },
  })
  const [repository] = positionals
  const commits = Number(values.commits)
  const drifts = values.drift.split(',').map(Number)
  const said = values.dialect?.split(',').map(name => dialects.find(one => one.name === name))
  const isKnown = said?.every(Boolean) ?? values.drift === '0'
  const isCounted = commits >= 1 && drifts.every(drift => drift >= 0)
  if (repository === undefined || positionals.length > 1 || !isCounted || !isKnown) {
    const names = dialects.map(({ name }) => name).join('|')
    return stop(
      `Usage: npm run replay -- REPO [--commits N] [--until REVISION] [--durability KIND] [--dialect ${names},... [--drift N,...]]`,
    )
  }
  // npm changes to the top of the checkout; relative paths mean where the user stood.
  const place = resolve(process.env.INIT_CWD ?? process.cwd(), repository)
  const passes = (said ?? [undefined]).flatMap(dialect => drifts.map(drift => ({ dialect, drift })))
  return { ...values, repository: place, commits, passes }
}

/** @typedef {ReturnType<typeof readArguments>['passes'][number]} Pass */

async function replay() {
  cloneApart(asked.repository, clone)
  // What was read before the worktree was opened cannot be rebased.
  const lead = Math.max(...asked.passes.map(({ drift }) => drift))
  const history = listHistory(clone, asked.until, asked.commits + lead)
  if (history.length < 2) {
    succeeded = false
    return console.log('There is nothing to replay')
  }
  const state = join(scratch, 'state')
  mkdirSync(state)
  const server = await startServer(clone, { state, log, durability: asked.durability })
  try {
    for (const [index, pass] of asked.passes.entries()) {
      if (!isStopped) await replayPass(server, `replay-${index}`, history, pass)
    }
  } finally {
    await server.stop()
  }
  if (succeeded) succeeded = report('git fsck', listDamage(clone, asked.repository))
}

/**
 * Replays the history once, in a worktree of its own.
 * @param {Place['server']} server
 * @param {string} agent
 * @param {readonly HistoryCommit[]} history
 * @param {Pass} pass
 */
async function replayPass(server, agent, history, pass) {
  const started = performance.now()
  tally = new Tally()
  const base = history[0]?.id
  const view = pass.dialect && { view: pass.dialect.view }
  const opened = await server.post('/v1/worktrees', { agent, base, ...view })
  if (opened.status !== 201) throw new Error(`no worktree: ${JSON.stringify(opened.body)}`)
  const { id, path, branch } = opened.body
  await replayAll({ server, worktree: id, path, branch }, history, pass)
  printTable((performance.now() - started) / 1000, pass)
  const bad = ['mismatches', 'refused', 'wrong'].some(group => tally.total(group) > 0)
  if (tally.total('replayed') === 0 || bad) succeeded = false
}

/**
 * @param {Place} place
 * @param {readonly HistoryCommit[]} history
 * @param {Pass} pass
 */
async function replayAll(place, history, pass) {
  const lead = Math.max(0, history.length - 1 - asked.commits)
  for (const [index, commit] of history.entries()) {
    const parent = history[index - 1]
    if (parent === undefined) continue
    if (isStopped || !(await replayOne(place, parent.id, commit, { ...pass, turn: index, lead })))
      return
    if (index % statusEvery === 0 || index === history.length - 1) {
      if (!report('git status', listUnclean(place.path, scratch))) return
      console.log(`${index} of ${history.length - 1} commits, status is clean`)
    }
  }
}

/**
 * False where the commit did not come out as it was.
 * @param {Place} place
 * @param {string} parent
 * @param {HistoryCommit} commit
 * @param {Pass & { readonly turn: number, readonly lead: number }} pass
 */
async function replayOne(place, parent, commit, { dialect, drift, turn, lead }) {
  const content = readOnce(parent, commit.id)
  if (content.changes.length === 0) {
    tally.add('skipped', 'same tree')
    return true
  }
  if (dialect === undefined || turn <= lead) {
    return noteNative(await replayCommit(place, commit, content), { commit, parent })
  }
  if (drift === 0) {
    const how = { dialect, parent, turn }
    return noteSaid(await replaySaid(place, commit, content, how), { commit, parent })
  }
  const how = { dialect, distance: drift, parent, turn, scratch, tally }
  await driftCommit(place, commit, content, how)
  // Whatever landed stands; the rest of the commit is brought in natively, so that the next one finds its parent.
  const rest = readCommit(clone, gitText(place.path, ['rev-parse', 'HEAD']), commit.id)
  if (rest.changes.length === 0) {
    tally.add('replayed', 'by its edits alone')
    return true
  }
  return noteNative(await replayCommit(place, commit, rest), { commit, parent })
}

/**
 * What a commit did, kept for the passes that follow.
 * @param {string} parent
 * @param {string} commit
 */
function readOnce(parent, commit) {
  const content = contents.get(commit) ?? readCommit(clone, parent, commit)
  if (asked.passes.length > 1) contents.set(commit, content)
  return content
}

/** @typedef {{ readonly commit: HistoryCommit, readonly parent: string }} Original */

/**
 * @param {Awaited<ReturnType<typeof replayCommit>>} replayed
 * @param {Original} original
 */
function noteNative({ planned, byPlumbing, ...replayed }, original) {
  if (!noteProblem(replayed, original)) return false
  tally.add('replayed', planned === undefined ? 'by plumbing alone' : 'as batches')
  if (planned !== undefined) {
    tally.add('batches', 'sent')
    tally.add('milliseconds', 'batches', replayed.milliseconds)
  }
  for (const { op } of planned?.edits ?? []) tally.add('ops', op)
  for (const reason of planned?.wholeFiles ?? []) tally.add('written whole', reason)
  for (const reason of byPlumbing) tally.add('by plumbing', reason)
  for (const { code } of replayed.answered?.warnings ?? []) tally.add('warnings', code)
  return true
}

/**
 * @param {Awaited<ReturnType<typeof replaySaid>>} replayed
 * @param {Original} original
 */
function noteSaid(replayed, original) {
  if (replayed.refused.length > 0) noteRefusal(replayed, original)
  if (!noteProblem(replayed, original)) return false
  tally.add('replayed', replayed.ops > 0 ? 'in the dialect' : 'natively alone')
  tally.add('batches', 'sent', replayed.batches)
  tally.add('milliseconds', 'batches', replayed.milliseconds)
  tally.add('said', 'ops', replayed.ops)
  if (replayed.isLiteral) tally.add('literally', 'batches')
  for (const reason of replayed.native) tally.add('native', reason)
  for (const reason of replayed.byPlumbing) tally.add('by plumbing', reason)
  for (const { code } of replayed.warnings) tally.add('warnings', code)
  return true
}

/**
 * @typedef {object} Outcome
 * @property {string} [problem]
 * @property {string | undefined} made
 * @property {unknown} sent
 * @property {any} answered
 * @property {number} milliseconds
 */

/**
 * @param {Outcome & { readonly refused: readonly string[] }} replayed
 * @param {Original} original
 */
function noteRefusal({ refused, sent, answered }, { commit, parent }) {
  for (const code of refused) tally.add('refused', code)
  const told = { problem: 'refused', made: undefined, sent, answered }
  const { folder } = keepEvidence({ repository: clone, log, commit, parent, ...told })
  console.log(`REFUSED at ${commit.id}: ${refused.join(', ')}\nAll of it is in ${folder}`)
}

/**
 * False, with the evidence kept, where a commit did not come out as it was.
 * @param {Outcome} outcome
 * @param {Original} original
 */
function noteProblem({ problem, made, sent, answered }, { commit, parent }) {
  if (problem === undefined) return true
  tally.add('mismatches', 'commit')
  const kept = { repository: clone, log, commit, parent, problem, made, sent, answered }
  const { folder, paths } = keepEvidence(kept)
  console.log(
    `MISMATCH at ${commit.id}: ${problem}\n${paths.join('\n')}\nAll of it is in ${folder}`,
  )
  return false
}

/**
 * @param {string} check
 * @param {readonly string[]} problems
 */
function report(check, problems) {
  if (problems.length === 0) return true
  tally.add('mismatches', check)
  console.log(`MISMATCH in ${check}:\n${problems.slice(0, 20).join('\n')}`)
  return false
}

/**
 * @param {number} seconds
 * @param {Pass} pass
 */
function printTable(seconds, { dialect, drift }) {
  const batchSeconds = tally.total('milliseconds') / 1000
  const rate = tally.total('batches') / Math.max(batchSeconds, 0.001)
  console.log(
    renderTable([
      ...(dialect === undefined ? [] : [/** @type {const} */ (['dialect', dialect.name])]),
      ...(drift === 0 ? [] : [/** @type {const} */ (['commits of drift', drift])]),
      ['replayed commits', `${tally.total('replayed')} (${tally.line('replayed')})`],
      ['files by plumbing', `${tally.total('by plumbing')} (${tally.line('by plumbing')})`],
      ['skipped', `${tally.total('skipped')} (${tally.line('skipped')})`],
      ['mismatches', `${tally.total('mismatches')} (${tally.line('mismatches')})`],
      ...(dialect === undefined ? [] : drift > 0 ? driftRows(tally) : saidRows()),
      ['native ops', `${tally.total('ops')} (${tally.line('ops')})`],
      [
        'changed files written whole',
        `${tally.total('written whole')} (${tally.line('written whole')})`,
      ],
      ['warnings', `${tally.total('warnings')} (${tally.line('warnings')})`],
      ['batches per second', `${rate.toFixed(1)} (in requests; ${seconds.toFixed(0)} s in all)`],
    ]),
  )
}

/** @returns {readonly (readonly [label: string, value: string])[]} */
function saidRows() {
  return [
    ['ops said in the dialect', String(tally.total('said'))],
    ['native with reason', `${tally.total('native')} (${tally.line('native')})`],
    ['refused', `${tally.total('refused')} (${tally.line('refused')})`],
    ['meant literally', `${tally.total('literally')} (${tally.line('literally')})`],
  ]
}
