// `npm run bench:commit -- [REPO...] [--batches N] [--place DIR]... [--cpu-prof DIR]`: how long a batch of one file takes
// in process (durability process and power) and how long `git add` and `git commit` take, in turn in one run, each in a
// linked worktree of its own. Without REPO it builds repositories of 500, 9,000 and 57,000 files. The places are a
// tmpfs where there is one and the temporary directory. Exit code 1 where an index or a worktree is not right afterwards.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { buildRepository } from './bench/build-repository.mjs'
import { startEngine } from './bench/engine-process.mjs'
import { describeCosts, describeMachine, fileSystemOf } from './bench/machine.mjs'
import { medianOf, renderMedian } from './bench/medians.mjs'
import { pickTexts } from './bench/pick-texts.mjs'
import { cloneApart, gitText } from './replay/git.mjs'
import { stop } from './setup.mjs'

/** @typedef {import('./bench/engine-process.mjs').EngineProcess} EngineProcess */

const builtSizes = [500, 9_000, 57_000]
/**
 * Batches that are not counted: a gateway lives long and its code is compiled while it works, each git is a new process.
 * @param {string} name
 */
const warmUpOf = name => (name === 'git' ? 5 : 200)

const asked = readArguments()
console.log(describeMachine())
for (const place of asked.places) {
  console.log(`\n${fileSystemOf(place)}: ${describeCosts(place)}`)
  for (const source of asked.sources) await inScratch(place, folder => measure(folder, source))
}
console.log(
  `\nload at the end ${loadavg()
    .map(one => one.toFixed(1))
    .join(' ')}`,
)

function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      batches: { type: 'string', default: '61' },
      place: { type: 'string', multiple: true },
      'cpu-prof': { type: 'string' },
    },
  })
  const batches = Number(values.batches)
  if (!(batches >= 1)) stop('--batches is a number from 1')
  // npm changes to the top of the checkout; relative paths mean where the user stood.
  const from = (/** @type {string} */ path) => resolve(process.env.INIT_CWD ?? process.cwd(), path)
  const shared = existsSync('/dev/shm') ? ['/dev/shm'] : []
  const profiles = values['cpu-prof']
  return {
    batches,
    sources: positionals.length === 0 ? builtSizes : positionals.map(from),
    places: values.place?.map(from) ?? [...shared, tmpdir()],
    node: profiles === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${from(profiles)}`],
  }
}

/**
 * @param {string} place
 * @param {(folder: string) => Promise<void>} work
 */
async function inScratch(place, work) {
  const folder = mkdtempSync(join(place, 'editlatch-bench-'))
  try {
    await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * @param {string} folder
 * @param {string | number} source
 */
async function measure(folder, source) {
  const clone = join(folder, 'history')
  if (typeof source === 'number') await buildRepository(clone, source)
  else cloneApart(source, clone)
  // A collection in the background would be measured too.
  gitText(clone, ['config', 'gc.auto', '0'])
  const base = gitText(clone, ['rev-parse', 'HEAD'])
  const files = gitText(clone, ['ls-tree', '-r', '--name-only', '-z', base]).split('\0').length - 1
  const setting = { clone, folder, base, texts: pickTexts(clone, base) }
  const engines = await startEngines(setting)
  try {
    const times = await takeTurns(engines)
    const name = typeof source === 'number' ? 'built' : nameOf(source)
    console.log(`\n${name}, ${files} files, ${asked.batches} batches of each`)
    printTimes(times)
  } finally {
    for (const engine of engines) await engine.stop()
  }
  for (const engine of engines) check(engine, base)
}

/** @param {string} repository */
function nameOf(repository) {
  const name = basename(repository)
  return ['.git', 'repo'].includes(name) ? basename(resolve(repository, '..')) : name
}

/**
 * @param {import('./bench/serve-engine.mjs').Setting} setting
 * @returns {Promise<readonly EngineProcess[]>}
 */
async function startEngines(setting) {
  const gateway = new URL('./bench/gateway-engine.mjs', import.meta.url)
  const git = new URL('./bench/git-engine.mjs', import.meta.url)
  const { node } = asked
  const engines = []
  try {
    engines.push(await startEngine('git', { script: git, args: [], node }, setting))
    for (const kind of ['process', 'power']) {
      engines.push(await startEngine(kind, { script: gateway, args: [kind], node }, setting))
    }
  } catch (error) {
    for (const engine of engines) await engine.stop()
    throw error
  }
  return engines
}

/**
 * One batch of each engine, again and again, each time beginning with another one.
 * @param {readonly EngineProcess[]} engines
 */
async function takeTurns(engines) {
  for (const engine of engines) {
    for (let number = 1; number <= warmUpOf(engine.name); number += 1) await engine.batch(-number)
  }
  const times = new Map(engines.map(({ name }) => [name, /** @type {number[]} */ ([])]))
  for (let number = 0; number < asked.batches; number += 1) {
    const first = number % engines.length
    for (const engine of [...engines.slice(first), ...engines.slice(0, first)]) {
      times.get(engine.name)?.push(await engine.batch(number))
    }
  }
  return times
}

/** @param {ReadonlyMap<string, readonly number[]>} times */
function printTimes(times) {
  const git = times.get('git') ?? []
  console.log(`  git add + git commit  ${renderMedian(git)}`)
  for (const kind of ['process', 'power']) {
    const own = times.get(kind) ?? []
    const ratio = (medianOf(git) / medianOf(own)).toFixed(1)
    const leastRatio = (Math.min(...git) / Math.min(...own)).toFixed(1)
    const ratios = `${ratio} x (least to least ${leastRatio} x)`
    console.log(`  batch, ${kind.padEnd(14)} ${renderMedian(own).padEnd(28)} ${ratios}`)
  }
}

/**
 * The index must say what was committed, the files too, and every batch must be there.
 * @param {EngineProcess} engine
 * @param {string} base
 */
function check({ name, path }, base) {
  const [tree, index] = [gitText(path, ['rev-parse', 'HEAD^{tree}']), gitText(path, ['write-tree'])]
  const status = gitText(path, ['status', '--porcelain'])
  const commits = Number(gitText(path, ['rev-list', '--count', `${base}..HEAD`]))
  const problems = [
    ...(index === tree ? [] : [`the index is ${index}, HEAD has ${tree}`]),
    ...(status === '' ? [] : [`git status says\n${status.slice(0, 500)}`]),
    ...(commits === warmUpOf(name) + asked.batches ? [] : [`there are ${commits} commits`]),
  ]
  if (problems.length > 0) process.exitCode = 1
  console.log(`  ${name}: ${problems.join('; ') || 'index right, status clean, all commits there'}`)
}
