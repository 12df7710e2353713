// `npm run bench:commit -- [REPO...] [--batches N] [--row N] [--place DIR]... [--only ENGINE]... [--cpu-prof DIR]`: how long a batch
// of one file and of five takes: here in process (durability process and power) and over HTTP, by `git add` and
// `git commit`, by simple-git and by isomorphic-git, in turn in one run, each in a linked worktree of its own (isomorphic-git
// knows none and has an ordinary repository); and what the disk alone takes for what `power` writes. Without REPO it
// builds repositories of 500, 9,000 and 57,000 files. The places are a tmpfs where there is one and the temporary
// directory. `--row` is how many batches an engine makes in its turn (1). Exit code 1 where an index or a worktree is not right afterwards; a goal that is missed is only said.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { buildRepository } from './bench/build-repository.mjs'
import { engineKinds, startEngine } from './bench/engine-process.mjs'
import { judge } from './bench/goals.mjs'
import { describeCosts, describeMachine, fileSystemOf } from './bench/machine.mjs'
import { medianOf, renderMedian, renderRatio } from './bench/medians.mjs'
import { pickTexts } from './bench/pick-texts.mjs'
import { Turns } from './bench/take-turns.mjs'
import { cloneApart, gitText } from './replay/git.mjs'
import { stop } from './setup.mjs'

/** @typedef {import('./bench/engine-process.mjs').EngineProcess} EngineProcess */
/** @typedef {import('./bench/goals.mjs').Round} Round */

const builtSizes = [500, 9_000, 57_000]
const batchSizes = [1, 5]

const asked = readArguments()
/** @type {Round[]} */
const rounds = []
console.log(describeMachine())
for (const place of asked.places) {
  console.log(`\n${fileSystemOf(place)}: ${describeCosts(place)}`)
  for (const source of asked.sources) await inScratch(place, folder => measure(folder, source))
}
console.log(`\n${judge(rounds).join('\n')}`)
console.log(
  `load at the end ${loadavg()
    .map(one => one.toFixed(1))
    .join(' ')}`,
)

function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      batches: { type: 'string', default: '61' },
      row: { type: 'string', default: '1' },
      place: { type: 'string', multiple: true },
      only: { type: 'string', multiple: true },
      'cpu-prof': { type: 'string' },
    },
  })
  const [batches, row] = [Number(values.batches), Number(values.row)]
  if (!(batches >= 1 && row >= 1)) stop('--batches and --row are numbers from 1')
  const names = engineKinds.map(({ name }) => name)
  const only = values.only ?? names
  if (!only.every(name => names.includes(name))) stop(`--only takes ${names.join(', ')}`)
  // npm changes to the top of the checkout; relative paths mean where the user stood.
  const from = (/** @type {string} */ path) => resolve(process.env.INIT_CWD ?? process.cwd(), path)
  const shared = existsSync('/dev/shm') ? ['/dev/shm'] : []
  const profiles = values['cpu-prof']
  return {
    batches,
    row,
    kinds: engineKinds.filter(({ name }) => only.includes(name)),
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
  const tracked =
    gitText(clone, ['ls-tree', '-r', '--name-only', '-z', base]).split('\0').length - 1
  const repository = `${typeof source === 'number' ? 'built' : nameOf(source)}, ${tracked} files`
  console.log(`\n${repository}`)
  const engines = await startEngines({ clone, folder, base, texts: pickTexts(clone, base) })
  const turns = new Turns()
  try {
    const fileSystem = fileSystemOf(folder)
    await takeRounds(engines, turns, { fileSystem, repository, tracked })
  } finally {
    for (const engine of engines) await engine.stop()
  }
  for (const engine of engines) if (engine.path !== '') check(engine, base, turns.made(engine))
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
  const engines = []
  try {
    for (const kind of asked.kinds) engines.push(await startEngine(kind, asked.node, setting))
    return engines
  } catch (error) {
    for (const engine of engines) await engine.stop()
    throw error
  }
}

/**
 * @param {readonly EngineProcess[]} engines
 * @param {Turns} turns
 * @param {Pick<Round, 'fileSystem' | 'repository' | 'tracked'>} place
 */
async function takeRounds(engines, turns, place) {
  const leftOut = (/** @type {string} */ title, /** @type {number} */ milliseconds) =>
    console.log(`  ${title}: left out, one batch takes ${milliseconds.toFixed(0)} ms`)
  let working = engines
  for (const files of batchSizes) {
    working = await turns.warmUp(working, files, leftOut)
    const times = await turns.take(working, { batches: asked.batches, files, row: asked.row })
    const megabytes = await engines.find(({ kind }) => kind.name === 'process')?.megabytes()
    const round = { ...place, files, times, megabytes }
    rounds.push(round)
    printRound(round)
  }
}

/** @param {Round} round */
function printRound({ files, times, megabytes }) {
  console.log(
    `  ${asked.batches} batches of each, ${asked.row} in a turn, ${files} changed in each`,
  )
  for (const { name, title } of engineKinds) {
    const own = times.get(name)
    if (own !== undefined)
      console.log(`    ${title.padEnd(22)} ${renderMedian(own).padEnd(26)} ${compare(name, times)}`)
  }
  if (megabytes !== undefined)
    console.log(`    at most ${megabytes.toFixed(0)} MB resident in process`)
}

/**
 * What the times of one engine say beside those of the others.
 * @param {string} name
 * @param {Round['times']} times
 */
function compare(name, times) {
  const [own = [], process = [], power = []] = [name, 'process', 'power'].map(one => times.get(one))
  if (name === 'process') return ''
  if (name === 'http') {
    return process.length === 0
      ? ''
      : `${(medianOf(own) - medianOf(process)).toFixed(2)} ms over in process`
  }
  if (name === 'power') {
    const floor = times.get('floor')
    return floor === undefined ? '' : `${renderRatio(own, floor)} of its floor`
  }
  const ours = [
    ['process', process],
    ['power', power],
  ].filter(([, one]) => one?.length)
  if (name === 'floor') return ''
  return ours
    .map(([title, one]) => `${title} ${renderRatio(own, /** @type {number[]} */ (one))}`)
    .join(', ')
}

/**
 * The index must say what was committed, the files too, and every batch must be there.
 * @param {EngineProcess} engine
 * @param {string} base
 * @param {number} made
 */
function check({ kind, path }, base, made) {
  const [tree, index] = [gitText(path, ['rev-parse', 'HEAD^{tree}']), gitText(path, ['write-tree'])]
  const status = gitText(path, ['status', '--porcelain'])
  const commits = Number(gitText(path, ['rev-list', '--count', `${base}..HEAD`]))
  const problems = [
    ...(index === tree ? [] : [`the index is ${index}, HEAD has ${tree}`]),
    ...(status === '' ? [] : [`git status says\n${status.slice(0, 500)}`]),
    ...(commits === made ? [] : [`there are ${commits} commits of ${made}`]),
  ]
  if (problems.length > 0) process.exitCode = 1
  console.log(
    `  ${kind.name}: ${problems.join('; ') || `index right, status clean, all ${made} commits there`}`,
  )
}
