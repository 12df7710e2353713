// `npm run bench:tokens [-- MIRROR]`: what one small change costs an agent in tokens, on real commits, asked of the
// real server: A whole reads and whole writes, A1 whole reads and replacements, W windows, B ours (edits said as replacements, and as a patch). MIRROR (or
// EDITLATCH_MIRROR) holds bare clones as owner+name/repo of the repositories in bench/token-commits.json; without one
// the small shipped repository is used. After each flow the files must be those of the commit.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { flowA, flowA1, flowB, flowBPatch, noCost } from './bench/token-flows.mjs'
import { printGoals, printTokens } from './bench/token-report.mjs'
import { changedFiles, listRepositories, plantParent } from './bench/token-repositories.mjs'
import { searchTerm } from './bench/token-term.mjs'
import { gitText } from './replay/git.mjs'
import { startServer } from './replay/server.mjs'

/** @typedef {import('./bench/token-report.mjs').Result} Result */

const mirror = process.argv[2] ?? process.env.EDITLATCH_MIRROR
const scratch = mkdtempSync(join(tmpdir(), 'bench-tokens-'))
/** @type {Result[]} */
const results = []
/** @type {string[]} */
const skipped = []
let compared = 0

try {
  const { repositories, absent } = listRepositories(mirror, scratch)
  if (absent.length > 0) console.log(`not there: ${absent.join(', ')}`)
  for (const repository of repositories) {
    await replayRepository(repository)
    console.error(`${repository.name}: ${results.length} done, ${skipped.length} skipped`)
  }
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
console.log(`${results.length + skipped.length} commits listed, ${skipped.length} skipped`)
for (const line of skipped) console.log(`  ${line}`)
console.log(`${compared} files compared with the commit's after a flow, all the same`)
printTokens(results)
if (results.length >= 100 && !printGoals(results)) process.exitCode = 1

/** @param {import('./bench/token-repositories.mjs').Listed} repository */
async function replayRepository({ name, source, commits }) {
  const place = join(scratch, name.replace('/', '+'))
  const ready = commits.map(one => ({ ...one, base: plantParent(source, place, one.parent) }))
  const options = { state: join(scratch, 'state'), log: join(scratch, 'log') }
  const server = await startServer(place, { ...options, durability: 'process' })
  try {
    for (const [at, commit] of ready.entries()) {
      const why = await replayCommit({ server, source, at }, commit)
      if (why !== undefined) skipped.push(`${name} ${commit.commit.slice(0, 10)}: ${why}`)
    }
  } finally {
    await server.stop()
    rmSync(place, { recursive: true, force: true })
    rmSync(`${place}.worktrees`, { recursive: true, force: true })
  }
}

/**
 * Answers why a commit was skipped.
 * @param {{ readonly server: import('./replay/server.mjs').Server, readonly source: string, readonly at: number }} where
 * @param {import('./bench/small-commits.mjs').SmallCommit & { readonly base: string }} change
 * @returns {Promise<string | undefined>}
 */
async function replayCommit({ server, source, at }, { commit, parent, base: root }) {
  const files = changedFiles(source, { commit, parent })
  if (files === undefined) return 'a file is not UTF-8 with LF breaks'
  const opened = await server.post('/v1/worktrees', {
    agent: `change-${at}`,
    base: root,
    // What is served is the same, and nothing is checked out.
    files: 'none',
  })
  if (opened.status > 201) throw new Error(`open: ${opened.status} ${opened.body.code}`)
  const { id, path, token } = opened.body
  const agent = server.as(token)
  const base = `/v1/worktrees/${encodeURIComponent(id)}`
  const term = searchTerm(path, root, files)
  if (term === undefined) return 'no name stands in the changed lines'
  const change = { server: agent, base, files, term }
  const costs = {
    A: noCost(),
    A1: noCost(),
    W: noCost(),
    B: noCost(),
    'B + outlines': noCost(),
    'B by patch': noCost(),
  }
  try {
    await checked(change, path, commit, source, () => flowB(change, costs.B, costs['B + outlines']))
    await checked(change, path, commit, source, () => flowBPatch(change, costs['B by patch']))
    await checked(change, path, commit, source, () => flowA1(change, costs.A1, costs.W))
    await checked(change, path, commit, source, () => flowA(change, costs.A))
  } catch (error) {
    return String(error)
  }
  const lines = Math.max(...files.map(({ before }) => before.split('\n').length - 1))
  const changed = files
    .flatMap(({ blocks }) => blocks)
    .reduce((sum, one) => sum + one.oldEnd - one.oldStart + one.newEnd - one.newStart, 0)
  results.push({ lines, changed, costs })
  return undefined
}

/**
 * Runs a flow, compares each file with the commit's, and undoes what the flow did.
 * @param {import('./bench/token-flows.mjs').Change} change
 * @param {string} path
 * @param {string} commit
 * @param {string} source
 * @param {() => Promise<readonly string[]>} flow
 */
async function checked({ server, base, files }, path, commit, source, flow) {
  const commits = await flow()
  for (const file of files) {
    const [made, wanted] = [
      gitText(path, ['rev-parse', `HEAD:${file.path}`]),
      gitText(source, ['rev-parse', `${commit}:${file.path}`]),
    ]
    if (made !== wanted) throw new Error(`${file.path} is ${made} and not ${wanted}`)
    compared += 1
  }
  for (const one of commits.toReversed()) {
    const { status, body } = await server.post(`${base}/batches/${one}/revert`, {})
    if (status !== 201) throw new Error(`revert: ${status} ${body.code}`)
  }
}
