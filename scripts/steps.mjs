// What a script that tries something for real prints: each step with its time, and how many checks were made.
import { spawn, spawnSync } from 'node:child_process'

let checks = 0

/** What ends each program that was started and still runs. @type {Set<() => void>} */
const running = new Set()

/** How many things were looked at and found right so far. */
export function checksMade() {
  return checks
}

/**
 * Runs one step and prints how long it took, and what it answers where that is a text.
 * @template T
 * @param {string} name
 * @param {() => T | Promise<T>} work
 * @returns {Promise<T>}
 */
export async function step(name, work) {
  const started = performance.now()
  const answer = await work()
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`ok ${name} (${seconds} s)${typeof answer === 'string' ? `: ${answer}` : ''}`)
  return answer
}

/**
 * Counts a check, or ends the run with what was found.
 * @param {boolean} holds
 * @param {string} what
 * @param {unknown} [found]
 * @returns {asserts holds}
 */
export function check(holds, what, found) {
  if (!holds)
    throw new Error(`${what}: ${typeof found === 'string' ? found : JSON.stringify(found)}`)
  checks += 1
}

/**
 * Runs a program to its end and answers what it printed; throws with its own words where it fails.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnSyncOptions} [options]
 */
export function run(command, args, options = {}) {
  const settings = {
    maxBuffer: 64 * 1024 * 1024,
    ...options,
    encoding: /** @type {const} */ ('utf8'),
  }
  const { status, stdout, stderr, error } = spawnSync(command, args, settings)
  if (status === 0) return stdout.trim()
  const why = error?.message ?? `${stdout}${stderr}`.trim().slice(-2_000)
  throw new Error(`${command} ${args.slice(0, 8).join(' ')} failed: ${why}`)
}

/** Ends what was started and still runs. */
export function stopAll() {
  for (const end of running) end()
}

/**
 * A program that goes on, with all that it starts in a process group of its own; what it prints is kept.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 */
export function start(command, args, options = {}) {
  const stdio = /** @type {const} */ (['ignore', 'pipe', 'pipe'])
  const child = spawn(command, args, { ...options, detached: true, stdio: [...stdio] })
  const end = () => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  }
  running.add(end)
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', chunk => {
      printed += chunk
    })
  }
  /** @type {Promise<number>} */
  const ended = new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', code => {
      running.delete(end)
      resolve(code ?? -1)
    })
  })
  return { pid: child.pid ?? 0, printed: () => printed, ended }
}
