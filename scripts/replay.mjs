// `npm run replay -- REPO [--commits N] [--until REVISION] [--durability process|power]`: replays the last N commits
// (300) of a real history through HTTP as batches and compares each commit's tree with the original. It works on a
// clone and stops at the first difference. Exit code 1 on a difference, or when nothing was replayed.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { listDamage, listUnclean } from './replay/check-worktree.mjs'
import { cloneApart } from './replay/git.mjs'
import { keepEvidence } from './replay/keep-evidence.mjs'
import { listHistory, readCommit } from './replay/read-commit.mjs'
import { replayCommit } from './replay/replay-commit.mjs'
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
const tally = new Tally()
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
const succeeded = tally.total('replayed') > 0 && tally.total('mismatches') === 0
process.exitCode = succeeded ? 0 : 1

function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      commits: { type: 'string', default: '300' },
      until: { type: 'string', default: 'HEAD' },
      durability: { type: 'string', default: 'process' },
    },
  })
  const [repository] = positionals
  const commits = Number(values.commits)
  if (repository === undefined || positionals.length > 1 || !(commits >= 1)) {
    return stop(
      'Usage: npm run replay -- REPO [--commits N] [--until REVISION] [--durability KIND]',
    )
  }
  // npm changes to the top of the checkout; relative paths mean where the user stood.
  const place = resolve(process.env.INIT_CWD ?? process.cwd(), repository)
  return { ...values, repository: place, commits }
}

async function replay() {
  const started = performance.now()
  cloneApart(asked.repository, clone)
  const [base, ...commits] = listHistory(clone, asked.until, asked.commits)
  if (base === undefined || commits.length === 0) return console.log('There is nothing to replay')
  const state = join(scratch, 'state')
  mkdirSync(state)
  const server = await startServer(clone, { state, log, durability: asked.durability })
  try {
    const opened = await server.post('/v1/worktrees', { agent: 'replay', base: base.id })
    if (opened.status !== 201) throw new Error(`no worktree: ${JSON.stringify(opened.body)}`)
    const { id, path, branch } = opened.body
    await replayAll({ server, worktree: id, path, branch }, [base, ...commits])
  } finally {
    await server.stop()
  }
  if (tally.total('mismatches') === 0) report('git fsck', listDamage(clone, asked.repository))
  printTable((performance.now() - started) / 1000)
}

/**
 * @param {Place} place
 * @param {readonly HistoryCommit[]} history
 */
async function replayAll(place, history) {
  for (const [index, commit] of history.entries()) {
    const parent = history[index - 1]
    if (parent === undefined) continue
    if (isStopped || !(await replayOne(place, parent.id, commit))) return
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
 */
async function replayOne(place, parent, commit) {
  const content = readCommit(clone, parent, commit.id)
  if (content.changes.length === 0) {
    tally.add('skipped', 'same tree')
    return true
  }
  const { problem, made, sent, answered, planned, byPlumbing, milliseconds } = await replayCommit(
    place,
    commit,
    content,
  )
  if (problem !== undefined) {
    tally.add('mismatches', 'commit')
    const kept = { repository: clone, log, commit, parent, problem, made, sent, answered }
    const { folder, paths } = keepEvidence(kept)
    console.log(
      `MISMATCH at ${commit.id}: ${problem}\n${paths.join('\n')}\nAll of it is in ${folder}`,
    )
    return false
  }
  tally.add('replayed', planned === undefined ? 'by plumbing alone' : 'as batches')
  if (planned !== undefined) {
    tally.add('batches', 'sent')
    tally.add('milliseconds', 'batches', milliseconds)
  }
  for (const { op } of planned?.edits ?? []) tally.add('ops', op)
  for (const reason of planned?.wholeFiles ?? []) tally.add('written whole', reason)
  for (const reason of byPlumbing) tally.add('by plumbing', reason)
  for (const { code } of answered?.warnings ?? []) tally.add('warnings', code)
  return true
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

/** @param {number} seconds */
function printTable(seconds) {
  const batchSeconds = tally.total('milliseconds') / 1000
  const rate = tally.total('batches') / Math.max(batchSeconds, 0.001)
  console.log(
    renderTable([
      ['replayed commits', `${tally.total('replayed')} (${tally.line('replayed')})`],
      ['files by plumbing', `${tally.total('by plumbing')} (${tally.line('by plumbing')})`],
      ['skipped', `${tally.total('skipped')} (${tally.line('skipped')})`],
      ['mismatches', `${tally.total('mismatches')} (${tally.line('mismatches')})`],
      ['ops', `${tally.total('ops')} (${tally.line('ops')})`],
      [
        'changed files written whole',
        `${tally.total('written whole')} (${tally.line('written whole')})`,
      ],
      ['warnings', `${tally.total('warnings')} (${tally.line('warnings')})`],
      ['batches per second', `${rate.toFixed(1)} (in requests; ${seconds.toFixed(0)} s in all)`],
    ]),
  )
}
