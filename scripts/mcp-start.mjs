// `npm run mcp:start -- [REPO] [--runs N]`: how long a client waits for `editlatch mcp`: from the start of the process
// to the answer to `initialize`, to the list of tools, and to the first state of its own worktree, which the first run
// has to make in a clone of its own. Prints each run and the medians, with what else the machine does at the time and how
// much until the first answer was work: on a machine that does other things the rest is waiting.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { root } from './setup.mjs'

const { values, positionals } = parseArgs({
  options: { runs: { type: 'string', default: '5' } },
  allowPositionals: true,
})
const place = mkdtempSync(join(tmpdir(), 'mcp-start-'))
const repository = join(place, 'repository')

const clientInfo = { name: 'mcp-start', version: '1' }
const protocolVersion = '2025-11-25'
const steps = [
  { method: 'initialize', params: { protocolVersion, capabilities: {}, clientInfo } },
  { method: 'tools/list', params: {} },
  { method: 'tools/call', params: { name: 'worktree_state', arguments: {} } },
]

/**
 * Milliseconds of processor that a process has had so far.
 * @param {number | undefined} pid
 */
function workedMs(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** Milliseconds from the start of the process to the answer of each step, and of work until the first. */
async function run() {
  const startedMs = performance.now()
  const ways = ['--worktrees', join(place, 'worktrees'), repository]
  const child = spawn(process.execPath, [join(root, 'dist/main.js'), 'mcp', ...ways], {
    env: { ...process.env, XDG_STATE_HOME: join(place, 'state') },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = new Promise(resolve => child.on('close', resolve))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const times = []
  let worked = 0
  for (const [id, step] of steps.entries()) {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...step })}\n`)
    const { value } = await lines.next()
    const answer = JSON.parse(value ?? '{}')
    if (answer.id !== id || answer.result === undefined || answer.result.isError) {
      throw new Error(`${step.method} was not answered: ${String(value).slice(0, 300)}`)
    }
    times.push(performance.now() - startedMs)
    if (id === 0) worked = workedMs(child.pid)
  }
  child.stdin.end()
  await ended
  return { times, worked }
}

/** @param {readonly number[]} numbers */
function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN
}

try {
  const source = resolve(positionals[0] ?? root)
  const cloned = spawnSync('git', ['clone', '--quiet', source, repository], { stdio: 'inherit' })
  if (cloned.status !== 0) throw new Error(`${source} could not be cloned`)
  const runs = []
  for (let at = 0; at < Number(values.runs); at += 1) {
    const load = (loadavg()[0] ?? 0).toFixed(1)
    const { times, worked } = await run()
    runs.push([...times, worked])
    const told = times.map(ms => `${Math.round(ms)} ms`).join(', ')
    console.log(`run ${at + 1}, load ${load}: ${told}; ${worked} ms of work`)
  }
  const answers = steps.map(({ method, params }) => params.name ?? method)
  const names = [...answers, 'work until initialize is answered']
  for (const [at, name] of names.entries()) {
    console.log(`${name}: median ${Math.round(median(runs.map(times => times[at] ?? 0)))} ms`)
  }
} finally {
  rmSync(place, { recursive: true, force: true })
}
