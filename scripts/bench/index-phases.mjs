// One phase of the benchmark of the symbol index, in a process of its own: prints what it measured as JSON.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { defaultLimits, fixedLimits } from '../../dist/core/limits.js'
import { Gateway } from '../../dist/gateway/gateway.js'
import { BackgroundIndex } from '../../dist/gateway/upkeep/background-index.js'
import { listIndex } from '../../dist/io/git/list-index.js'
import { bareParse, isScript } from './bare-parse.mjs'
import { seededRandom } from './seeded-random.mjs'
import { listSources } from './symbols-sources.mjs'

const warmedBy = 400
const askedFiles = 200
const askedNames = 20
const askedMaps = 5

/** @typedef {import('../../dist/gateway/worktree.js').Worktree} Worktree */

const [phase = '', repository = '', place = ''] = process.argv.slice(2)

/** @type {Readonly<Record<string, () => Promise<object>>>} */
const phases = {
  bare,
  cold: () => withWorktree(index),
  warm: () => withWorktree(warmStart),
  questions: () => withWorktree(ask),
}

// Nothing in the background keeps a process alive.
const alive = setInterval(() => {}, 1_000)
const measured = await phases[phase]?.()
clearInterval(alive)
console.log(JSON.stringify({ ...measured, rssMb: process.memoryUsage().rss / 1e6 }))

/** @param {(worktree: Worktree) => Promise<object>} work */
async function withWorktree(work) {
  const gateway = await Gateway.open({
    repositories: [repository],
    stateDir: join(place, 'state'),
    worktreesDir: join(place, 'worktrees'),
    branchPrefix: 'agent',
    durability: 'process',
    allowProtected: [],
    trustConfig: false,
    limits: defaultLimits,
    secret: 'a secret of the benchmark',
    host: process.env,
  })
  const { id } = await gateway.openWorktree({ agent: 'bench' })
  try {
    return await work(await gateway.worktree(id))
  } finally {
    await gateway.close()
  }
}

async function bare() {
  const sources = listSources(repository).filter(isScript)
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const took = await bareParse(sources)
  delay.disable()
  return { ...took, delayMs: delay.percentile(99) / 1e6 }
}

/** Milliseconds that the loop is late where nothing runs: what the machine itself does. */
async function idleDelay() {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  await new Promise(resolve => setTimeout(resolve, 2_000))
  delay.disable()
  return delay.percentile(99) / 1e6
}

/** @param {Worktree} worktree */
async function index({ checkout }) {
  const idle = await idleDelay()
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const [cpu, started] = [process.cpuUsage(), performance.now()]
  const background = new BackgroundIndex(checkout, 0)
  background.soon()
  await background.idle()
  const { user, system } = process.cpuUsage(cpu)
  delay.disable()
  return {
    ...background.progress,
    cpu: (user + system) / 1e6,
    wall: (performance.now() - started) / 1e3,
    idleMs: idle,
    delayMs: delay.percentile(99) / 1e6,
    longestMs: delay.max / 1e6,
  }
}

/**
 * Until every outline is at hand: what is new is looked for, and all that is known is taken from the disk.
 * @param {Worktree} worktree
 */
async function warmStart(worktree) {
  const { checkout } = worktree
  const [cpu, started] = [process.cpuUsage(), performance.now()]
  const background = new BackgroundIndex(checkout, 0)
  background.soon()
  await background.idle()
  let outlines = 0
  for await (const files of listIndex(checkout.place)) {
    const known = await checkout.served.symbols.known(files)
    outlines += known.filter(outline => outline !== undefined).length
  }
  const { user, system } = process.cpuUsage(cpu)
  const wall = (performance.now() - started) / 1e3
  return { ...background.progress, outlines, cpu: (user + system) / 1e6, wall }
}

/** @param {Worktree} worktree */
async function ask(worktree) {
  const { symbols } = worktree.checkout.served
  const random = seededRandom(1)
  const sources = listSources(repository).filter(isScript)
  const pick = () => {
    const { path } = random.pick(sources)
    return { path, text: readFileSync(join(repository, path), 'utf8').replaceAll('\r\n', '\n') }
  }
  // A thread that has just started compiles more than it parses.
  const first = sources.slice(0, warmedBy)
  await symbols.outline(first.map(({ path, text }) => ({ path, text: `${text}\n// first\n` })))
  const one = await timed(askedFiles, number => {
    const { path, text } = pick()
    return () => symbols.outline([{ path, text: `${text}\n// changed ${number}\n` }])
  })
  const names = sources.flatMap(
    ({ text }) => /(?:class|function|interface) ([A-Z]\w{8,})/.exec(text)?.[1] ?? [],
  )
  const search = await timed(askedNames, () => {
    const query = random.pick(names)
    return () => worktree.searchSymbols({ query })
  })
  const { mapBytes: maxBytes, mapSymbols } = fixedLimits
  /** @type {import('../../dist/gateway/reading/map-worktree.js').MapQuery} */
  const whole = { path: '', depth: Infinity, maxBytes, symbols: mapSymbols, sort: 'churn' }
  const map = await timed(askedMaps, () => () => worktree.survey.map(whole))
  return { questions: { 're-index of one changed file': one, 'symbol search': search, map } }
}

/**
 * Milliseconds of each, in their order.
 * @param {number} count
 * @param {(number: number) => () => Promise<unknown>} prepare
 */
async function timed(count, prepare) {
  const took = []
  for (let number = 0; number < count; number += 1) {
    const work = prepare(number)
    const started = performance.now()
    await work()
    took.push(performance.now() - started)
  }
  return took
}
