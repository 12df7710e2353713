// How fast the thread reads, beside a bare Babel parse of the same scripts in the same run.
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { ThreadParsers } from '../../dist/io/workers/thread-parsers.js'
import { bareParse, isScript } from './bare-parse.mjs'

const batch = 64

/** @typedef {import('./symbols-sources.mjs').Source} Source */

/** @param {readonly Source[]} sources */
export async function measureThroughput(sources) {
  const scripts = sources.filter(isScript)
  const areScripts = scripts.length * 2 > sources.length
  const read = areScripts ? scripts : sources
  const bytes = read.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0) / 1e6
  const bare = areScripts ? await bareParse(read) : undefined
  const idle = await idleDelay()
  const parsers = new ThreadParsers()
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const [cpu, wall] = [process.cpuUsage(), performance.now()]
  for (let at = 0; at < read.length; at += batch) await parsers.outline(read.slice(at, at + batch))
  const seconds = sumOf(process.cpuUsage(cpu))
  delay.disable()
  const { restarts } = parsers.health
  await parsers.close()
  console.log(
    `${read.length} files, ${bytes.toFixed(1)} MB: ${seconds.toFixed(2)} CPU s (${(bytes / seconds).toFixed(1)} MB/s, thread started cold), ${((performance.now() - wall) / 1000).toFixed(2)} s wall, ${restarts} restarts`,
  )
  if (bare !== undefined) {
    console.log(
      `a bare Babel parse of them: ${bare.cpu.toFixed(2)} CPU s; ours is ${(seconds / bare.cpu).toFixed(2)}x`,
    )
  }
  console.log(
    `event loop meanwhile: p99 ${(delay.percentile(99) / 1e6).toFixed(1)} ms, max ${(delay.max / 1e6).toFixed(1)} ms; p99 while idle ${idle.toFixed(1)} ms`,
  )
}

/** Milliseconds that the loop is late where nothing runs: what the machine itself does. */
async function idleDelay() {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  await new Promise(resolve => setTimeout(resolve, 2_000))
  delay.disable()
  return delay.percentile(99) / 1e6
}

/** @param {{ user: number, system: number }} usage */
function sumOf({ user, system }) {
  return (user + system) / 1e6
}
