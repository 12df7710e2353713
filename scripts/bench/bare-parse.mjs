// What a bare Babel parse of scripts costs, in a thread of its own that is as cold as ours.
import { performance } from 'node:perf_hooks'
import { Worker } from 'node:worker_threads'

/**
 * Seconds of the processor and of the clock.
 * @param {readonly import('./symbols-sources.mjs').Source[]} sources
 * @returns {Promise<{ cpu: number, wall: number }>}
 */
export function bareParse(sources) {
  return new Promise((resolve, reject) => {
    const [before, started] = [process.cpuUsage(), performance.now()]
    const worker = new Worker(new URL('./bare-babel.mjs', import.meta.url), { workerData: sources })
    worker.on('error', reject)
    worker.on('exit', () => {
      const { user, system } = process.cpuUsage(before)
      resolve({ cpu: (user + system) / 1e6, wall: (performance.now() - started) / 1e3 })
    })
  })
}

/** @param {{ readonly path: string }} source */
export function isScript({ path }) {
  return /\.[mc]?[jt]sx?$/.test(path)
}
