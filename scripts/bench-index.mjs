// `npm run bench:index -- REPO [--place DIR]`: the symbol index of a repository: read cold beside a bare Babel parse of
// the same scripts in the same run, the start of a second process, one changed file in a thread that is warm, symbol search, map, memory, and how free
// the event loop stays meanwhile. It works on a copy that holds only the scripts, in the temporary directory or DIR. A
// goal that is missed is only said.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { isScript } from './bench/bare-parse.mjs'
import { describeMachine } from './bench/machine.mjs'
import { medianOf } from './bench/medians.mjs'
import { listSources } from './bench/symbols-sources.mjs'
import { gitText } from './replay/git.mjs'
import { root, stop } from './setup.mjs'

/** @type {Readonly<Record<string, number>>} */
const goals = { 're-index of one changed file': 1 }

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { place: { type: 'string', default: tmpdir() } },
})
const from = process.env.INIT_CWD ?? process.cwd()
const source = resolve(from, positionals[0] ?? root)
const place = mkdtempSync(join(resolve(from, values.place), 'bench-index-'))
process.on('exit', () => rmSync(place, { recursive: true, force: true }))

const repository = copyScripts(source)
console.log(describeMachine())
const bare = run('bare')
const cold = run('cold')
const warm = run('warm')
const { questions } = run('questions')

say(`cold index: ${cold.read} of ${cold.unread} files read`)
told(
  'CPU beside a bare parse',
  `${seconds(cold.cpu)} to ${seconds(bare.cpu)}`,
  cold.cpu / bare.cpu,
  1.15,
)
told(
  'clock beside a bare parse',
  `${seconds(cold.wall)} to ${seconds(bare.wall)}`,
  cold.wall / bare.wall,
)
told(
  'event loop late by, p99 in ms',
  `while idle ${cold.idleMs.toFixed(1)}, beside a bare parse ${bare.delayMs.toFixed(1)}, longest ${cold.longestMs.toFixed(1)}`,
  cold.delayMs,
  20,
)
say(`memory: ${cold.rssMb.toFixed(0)} MB, a bare parse alone ${bare.rssMb.toFixed(0)} MB`)
told(
  `warm start in s, ${warm.unread} files read`,
  `${warm.outlines} outlines, ${seconds(warm.cpu)} CPU`,
  warm.wall,
  0.3,
)
say(`memory: ${warm.rssMb.toFixed(0)} MB`)
/** @type {readonly (readonly [string, number[]])[]} */
const asked = Object.entries(questions)
for (const [name, took] of asked) {
  const p95 = took.toSorted((one, other) => one - other)[Math.floor(took.length * 0.95)] ?? 0
  told(`${name} in ms`, `${took.length} times, p95 ${p95.toFixed(2)}`, medianOf(took), goals[name])
}

/** @param {string} folder */
function copyScripts(folder) {
  const copy = join(place, basename(folder))
  const scripts = listSources(folder).filter(isScript)
  if (scripts.length === 0) stop('Please name a repository that holds scripts.')
  for (const { path } of scripts) {
    mkdirSync(dirname(join(copy, path)), { recursive: true })
    cpSync(join(folder, path), join(copy, path))
  }
  gitText(copy, ['init', '-q'])
  gitText(copy, ['add', '-A', '-f'])
  gitText(copy, ['commit', '-q', '-m', 'scripts'])
  say(`${basename(folder)}: ${scripts.length} scripts`)
  return copy
}

/** @param {string} phase */
function run(phase) {
  const script = fileURLToPath(new URL('./bench/index-phases.mjs', import.meta.url))
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [script, phase, repository, place],
    { encoding: 'utf8', maxBuffer: 2 ** 30 },
  )
  if (status !== 0) stop(`${phase}: ${stderr}`)
  return JSON.parse(stdout)
}

/**
 * @param {string} name
 * @param {string} detail
 * @param {number} figure
 * @param {number} [goal]
 */
function told(name, detail, figure, goal) {
  const verdict = goal === undefined ? '' : figure <= goal ? `, goal ${goal}` : `, MISSES ${goal}`
  say(`${name}: ${figure.toFixed(2)} (${detail}${verdict})`)
}

/** @param {number} figure */
function seconds(figure) {
  return `${figure.toFixed(2)} s`
}

/** @param {string} line */
function say(line) {
  console.log(line)
}
