// `npm run map-quality -- REPOSITORY...`: how many of the edits that the next 150 commits made to sources are in files
// that a map shows: the default one and the largest. Merges, tests and files that are not there yet do not count.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { fixedLimits } from '../dist/core/limits.js'
import { fileRole } from '../dist/formats/code/file-role.js'
import { openWorktree } from './bench/open-worktree.mjs'
import { cloneApart, gitText } from './replay/git.mjs'
import { stop } from './setup.mjs'

const commits = 150
/** What churn with tests last reached with 30 KB and eight names a file when the order was chosen, in percent. */
const measured = new Map([
  ['google-gemini+gemini-cli', 60],
  ['cline+cline', 48],
  ['microsoft+playwright', 63],
  ['tusen-ai+naive-ui', 79],
  ['vuetifyjs+vuetify', 94],
  ['excalidraw+excalidraw', 92],
])

const given = process.argv.slice(2).map(path => resolve(path))
if (given.length === 0) stop('Name repositories.')
const scratch = mkdtempSync(join(tmpdir(), 'map-quality-'))
try {
  for (const repository of given) await judge(repository)
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

/**
 * Scripts, wherever they stand: what the map itself takes for sources is not asked.
 * @param {string} path
 */
function isSource(path) {
  return /\.(?:[cm]?[jt]sx?)$/.test(path) && fileRole(path) !== 'test'
}

/** @param {string} repository */
async function judge(repository) {
  const name =
    basename(repository) === 'repo' ? basename(dirname(repository)) : basename(repository)
  const folder = mkdtempSync(join(scratch, 'one-'))
  const clone = join(folder, 'clone.git')
  cloneApart(repository, clone)
  const next = gitText(clone, ['rev-list', '--no-merges', `--max-count=${commits}`, 'HEAD'])
  const last = next.split('\n').at(-1) ?? ''
  const base = gitText(clone, ['rev-parse', `${last}^`])
  const { gateway, worktree } = await openWorktree(clone, folder, { base, files: 'none' })
  const all = new Set(gitText(clone, ['ls-tree', '-r', '--name-only', '-z', base]).split('\0'))
  const edits = gitText(clone, [
    'log',
    '--no-merges',
    '--no-renames',
    '--name-only',
    '--format=',
    '-z',
    `--max-count=${commits}`,
    'HEAD',
  ])
    .split('\0')
    .map(path => path.trim())
    .filter(path => path !== '' && all.has(path) && isSource(path))
  console.log(
    `\n# ${name}: ${all.size - 1} files, ${edits.length} edits of sources in ${commits} commits`,
  )
  for (const maxBytes of [fixedLimits.mapBytes, fixedLimits.maxMapBytes]) {
    await tell(worktree, edits, maxBytes, measured.get(name))
  }
  await gateway.close()
  rmSync(folder, { recursive: true, force: true })
}

/**
 * @param {import('../dist/gateway/worktree.js').Worktree} worktree
 * @param {readonly string[]} edits
 * @param {number} maxBytes
 * @param {number | undefined} wanted
 */
async function tell(worktree, edits, maxBytes, wanted) {
  const started = performance.now()
  const query = { path: '', depth: Infinity, maxBytes, symbols: fixedLimits.mapSymbols }
  const answer = await worktree.survey.map({ ...query, sort: 'churn' })
  const ms = performance.now() - started
  const shown = new Set(answer.files.map(({ path }) => path))
  const named = answer.files.filter(({ symbols }) => symbols.length > 0).length
  const hit = edits.filter(path => shown.has(path)).length
  const share = Math.round((100 * hit) / edits.length)
  const beside = wanted === undefined ? '' : `, beside ${wanted} % when the order was chosen`
  console.log(
    `${maxBytes} bytes: ${hit} of ${edits.length} edits = ${share} %${beside}; ${shown.size} files, ${named} with names; ${ms.toFixed(0)} ms`,
  )
}
