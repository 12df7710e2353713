// `npm run bench:search [-- REPOSITORY...]`: searches through the gateway beside bare `git grep` and `rg` in the same
// worktree, in turns: by text and by pattern, hits annotated with their symbols. The ratio is of answers that no memory
// gave; those that one gave stand beside it, and what the parts of a search take by themselves. Then lists of files, and
// patterns that make other engines take forever. Without repositories it builds one of 8,000 and one of 90,000 files.
// `BENCH_ROUNDS` says how often (7).
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findRipgrep } from '../dist/io/git/ripgrep.js'
import { buildRepository } from './bench/build-repository.mjs'
import { describeMachine } from './bench/machine.mjs'
import { medianOf, renderMedian } from './bench/medians.mjs'
import { openWorktree } from './bench/open-worktree.mjs'
import { describePieces } from './bench/search-pieces.mjs'
import { pickSearches } from './bench/search-words.mjs'
import { cloneApart, gitEnvironment } from './replay/git.mjs'
import { stop } from './setup.mjs'

const rounds = Number(process.env.BENCH_ROUNDS ?? 7)
const goal = 1.3
const mostWarming = 100
const warmingMs = 200
const slowGoalMs = 2_000
const slowPatterns = [
  '(a+)+$',
  '(a|a)*b$',
  '(x+x+)+y',
  '([a-zA-Z]+)*[0-9]$',
  '(?=(a+)+$)a',
  '(a+)\\1+$',
]
const ripgrep = findRipgrep() ?? stop('ripgrep is not installed: npm ci')

/**
 * @typedef {import('../dist/gateway/worktree.js').Worktree} Worktree
 * @typedef {'literal' | 'regex'} Mode
 */

const scratch = mkdtempSync(join(tmpdir(), 'bench-search-'))
try {
  console.log(describeMachine())
  for (const repository of await repositories()) await measure(repository)
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

async function repositories() {
  const given = process.argv.slice(2).map(path => resolve(path))
  if (given.length > 0) return given
  const sizes = [8_000, 90_000]
  for (const size of sizes) await buildRepository(join(scratch, `${size}.git`), size)
  return sizes.map(size => join(scratch, `${size}.git`))
}

/** @param {string} repository */
async function measure(repository) {
  const folder = mkdtempSync(join(scratch, 'one-'))
  const clone = join(folder, 'clone.git')
  cloneApart(repository, clone)
  const { gateway, worktree, path } = await openWorktree(clone, folder)
  const { total } = await worktree.files({ limit: 1 })
  const name =
    basename(repository) === 'repo' ? basename(dirname(repository)) : basename(repository)
  console.log(`\n# ${name}: ${total} files`)
  const searches = pickSearches(path)
  const ratios = []
  for (const pattern of searches.literal)
    ratios.push(await compare(worktree, path, pattern, 'literal'))
  for (const pattern of searches.regex) ratios.push(await compare(worktree, path, pattern, 'regex'))
  const reached = ratios.filter(ratio => ratio <= goal).length
  console.log(`${reached} of ${ratios.length} searches within ${goal} x of the bare program`)
  await listFiles(worktree)
  await askSlow(worktree, path)
  await gateway.close()
  rmSync(folder, { recursive: true, force: true })
}

/**
 * @param {Worktree} worktree
 * @param {string} path
 * @param {string} pattern
 * @param {Mode} mode
 */
async function compare(worktree, path, pattern, mode) {
  let budget = 16_384
  // Another budget is another question, which no memory answers.
  const ours = () => {
    budget += 1
    return ask(worktree, pattern, mode, budget)
  }
  const bare = () => run(path, mode === 'literal' ? grep(pattern) : rg(pattern))
  const cold = await timed(ours)
  await untilOutlined(ours)
  await bare()
  /** @type {Record<'ours' | 'bare' | 'again', number[]>} */
  const times = { ours: [], bare: [], again: [] }
  for (let round = 0; round < rounds; round += 1) {
    times.bare.push((await timed(bare)).ms)
    times.ours.push((await timed(ours)).ms)
  }
  await ask(worktree, pattern, mode, budget)
  let remembered = 0
  for (let round = 0; round < rounds; round += 1) {
    const { ms, value } = await timed(() => ask(worktree, pattern, mode, budget))
    times.again.push(ms)
    if (value.cached) remembered += 1
  }
  const ratio = medianOf(times.ours) / medianOf(times.bare)
  const { shown_hits: shown, total_hits: hits, total_files: files } = cold.value
  /** @type {'fixed' | 'regex'} */
  const syntax = mode === 'literal' ? 'fixed' : 'regex'
  const paths = cold.value.files.map((/** @type {{ path: string }} */ file) => file.path)
  const wanted = { text: pattern, syntax, ignoreCase: false }
  const pieces = await describePieces(worktree, { pattern: wanted, paths, ripgrep, rounds: 3 })
  console.log(
    [
      `${ratio <= goal ? 'reached' : 'missed '} ${ratio.toFixed(2)} x ${mode.padEnd(7)} ${pattern.padEnd(32)}`,
      `${hits} lines in ${files} files, ${shown} shown in ${paths.length}`,
      `  bare ${renderMedian(times.bare)}, ours ${renderMedian(times.ours)}; first of all ${cold.ms.toFixed(0)} ms`,
      `  again ${renderMedian(times.again)}, ${remembered} of ${rounds} from memory; alone: ${pieces}`,
    ].join('\n'),
  )
  return ratio
}

/**
 * As in a worktree that was read in the background: what declares something is known.
 * @param {() => Promise<any>} ours
 */
async function untilOutlined(ours) {
  for (let asked = 0; asked < mostWarming; asked += 1) {
    if ((await ours()).symbols_missing === undefined) return
    await sleep(warmingMs)
  }
}

/**
 * @param {Worktree} worktree
 * @param {string} pattern
 * @param {Mode} mode
 * @param {number} maxBytes
 * @returns {Promise<any>}
 */
function ask(worktree, pattern, mode, maxBytes) {
  const query = { pattern, mode, path: '', ignoreCase: false, context: 0, limit: 100, maxBytes }
  return worktree.survey.search(query)
}

/** @param {string} pattern */
function grep(pattern) {
  return ['git', 'grep', '-nIF', '--untracked', '-e', pattern]
}

/** @param {string} pattern */
function rg(pattern) {
  return [ripgrep, '--no-config', '--hidden', '--line-number', '--no-heading', '-e', pattern, '.']
}

/**
 * @param {string} cwd
 * @param {readonly string[]} command
 * @returns {Promise<number>}
 */
function run(cwd, [program = '', ...args]) {
  return new Promise(done => {
    const child = spawn(program, args, {
      cwd,
      env: gitEnvironment,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    let bytes = 0
    child.stdout.on('data', chunk => {
      bytes += chunk.length
    })
    child.on('close', () => done(bytes))
  })
}

/**
 * @template T
 * @param {() => Promise<T>} act
 */
async function timed(act) {
  const started = performance.now()
  const value = await act()
  return { ms: performance.now() - started, value }
}

/** @param {Worktree} worktree */
async function listFiles(worktree) {
  const { keptListing } = worktree.checkout
  /** @type {Record<'walked' | 'kept', number[]>} */
  const times = { walked: [], kept: [] }
  for (let round = 0; round < rounds; round += 1) {
    const asked = await timed(() => keptListing.listOthers())
    times.walked.push(asked.ms)
    await keptListing.settled()
    const before = keptListing.walks
    const { ms } = await timed(() => keptListing.others())
    if (keptListing.walks === before) times.kept.push(ms)
  }
  console.log(
    `untracked files: listed by git ${renderMedian(times.walked)}, kept ${renderMedian(times.kept)} (${times.kept.length} of ${rounds})`,
  )
}

/**
 * @param {Worktree} worktree
 * @param {string} path
 */
async function askSlow(worktree, path) {
  writeFileSync(join(path, 'slow.txt'), `${'a'.repeat(3_000)}!\n${'x'.repeat(3_000)}\n`)
  let reached = 0
  for (const pattern of slowPatterns) {
    const { ms, value } = await timed(() =>
      ask(worktree, pattern, 'regex', 16_384).catch(error => ({ code: error.code })),
    )
    const told = value.code ?? `${value.total_hits} lines`
    if (ms < slowGoalMs) reached += 1
    console.log(
      `${ms < slowGoalMs ? 'reached' : 'missed '} ${pattern.padEnd(20)} ${told} in ${ms.toFixed(0)} ms`,
    )
  }
  console.log(
    `${reached} of ${slowPatterns.length} slow patterns answered or refused in ${slowGoalMs} ms`,
  )
}
