// Many clients at once on a server: mixed reads and edits, slow clients and a flood beside them.
//   npm run load -- [--seconds 60] [--clients 64] [--worktrees 16]
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { buildRepository } from './bench/build-repository.mjs'
import { gitText } from './replay/git.mjs'
import { startServer } from './replay/server.mjs'
import { randomFrom } from './torture/random.mjs'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    clients: { type: 'string', default: '64' },
    worktrees: { type: 'string', default: '16' },
    durability: { type: 'string', default: 'process' },
  },
})
const slowSockets = 100
const place = mkdtempSync(join(tmpdir(), 'editlatch-load-'))
try {
  await run()
} finally {
  rmSync(place, { recursive: true, force: true, maxRetries: 5 })
}

async function run() {
  const bare = join(place, 'origin.git')
  const repository = join(place, 'work')
  await buildRepository(bare, 500)
  gitText('/', ['clone', '--quiet', bare, repository])
  const options = {
    state: join(place, 'state'),
    log: join(place, 'log'),
    durability: values.durability,
  }
  const server = await startServer(repository, options)
  const agents = await openAgents(server, Number(values.worktrees))
  const slow = openSlowSockets(server.url)
  const until = performance.now() + Number(values.seconds) * 1000
  /** @type {Map<string, number[]>} */
  const times = new Map()
  /** @type {Record<string, number>} */
  const statuses = {}
  const note = (
    /** @type {string} */ what,
    /** @type {number} */ status,
    /** @type {number} */ ms,
  ) => {
    statuses[status] = (statuses[status] ?? 0) + 1
    const known = times.get(what)
    if (known === undefined) times.set(what, [ms])
    else known.push(ms)
  }
  const clients = Array.from({ length: Number(values.clients) }, (_, index) =>
    work(agents[index % agents.length] ?? agents[0], randomFrom(index), until, note),
  )
  await Promise.all(clients)
  for (const socket of slow) socket.destroy()
  await server.stop()
  report(times, statuses, Number(values.seconds))
  for (const { path } of agents) {
    const dirty = gitText(path, ['status', '--porcelain'])
    if (dirty !== '') throw new Error(`${path} is not clean:\n${dirty}`)
  }
  const bad = Object.keys(statuses).filter(status => Number(status) >= 500 || status === '0')
  if (bad.length > 0) throw new Error(`answers that must not be: ${bad.join(', ')}`)
}

/**
 * @typedef {{ readonly path: string, get: import('./replay/server.mjs').Server['get'], post: import('./replay/server.mjs').Server['post'] }} WorktreeClient
 */

/**
 * @param {import('./replay/server.mjs').Server} server
 * @param {number} count
 * @returns {Promise<readonly WorktreeClient[]>}
 */
async function openAgents(server, count) {
  const agents = []
  for (let number = 0; number < count; number += 1) {
    const { status, body } = await server.post('/v1/worktrees', { agent: `agent-${number}` })
    if (status !== 201) throw new Error(JSON.stringify(body))
    const as = server.as(body.token)
    const base = `/v1/worktrees/agent-${number}`
    agents.push({
      path: body.path,
      get: (/** @type {string} */ path) => as.get(`${base}${path}`),
      post: (/** @type {string} */ path, /** @type {unknown} */ sent) =>
        as.post(`${base}${path}`, sent),
    })
  }
  return agents
}

/**
 * Four reads or lists for each edit; a conflict is an answer like any other.
 * @param {WorktreeClient | undefined} agent
 * @param {(below: number) => number} random
 * @param {number} until
 * @param {(what: string, status: number, ms: number) => void} note
 */
async function work(agent, random, until, note) {
  if (agent === undefined) return
  const timed = async (
    /** @type {string} */ what,
    /** @type {() => Promise<import('./replay/server.mjs').Answer>} */ ask,
  ) => {
    const started = performance.now()
    const answer = await ask()
    note(what, answer.status, performance.now() - started)
    if (answer.status === 429) await new Promise(resolve => setTimeout(resolve, 50))
    return answer
  }
  const listed = await timed('files', () => agent.get('/files'))
  /** @type {readonly string[]} */
  const files = listed.status === 200 ? listed.body.files : []
  while (performance.now() < until && files.length > 0) {
    const path = files[random(files.length)] ?? ''
    const file = `/file?path=${encodeURIComponent(path)}`
    const read = await timed('read', () => agent.get(file))
    if (random(20) === 0) await timed('files', () => agent.get('/files?prefix=part-1'))
    if (random(20) === 0) await timed('diff', () => agent.get('/diff'))
    if (read.status !== 200 || random(4) !== 0) continue
    const line = 1 + random(Math.max(read.body.total_lines, 1))
    const edit = {
      op: 'insert_lines',
      path,
      expected_rev: read.body.rev,
      line,
      text: `line ${random(1e6)}`,
    }
    await timed('edit', () => agent.post('/batches', { edits: [edit] }))
  }
}

/**
 * Clients that send their headers a byte at a time.
 * @param {string} url
 */
function openSlowSockets(url) {
  const { hostname, port } = new URL(url)
  return Array.from({ length: slowSockets }, () => {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    const drip = setInterval(() => socket.write('x'), 1000)
    socket.on('close', () => clearInterval(drip))
    socket.write('GET /healthz HTTP/1.1\r\nx-slow: ')
    return socket
  })
}

/**
 * @param {ReadonlyMap<string, readonly number[]>} times
 * @param {Readonly<Record<string, number>>} statuses
 * @param {number} seconds
 */
function report(times, statuses, seconds) {
  /** @type {Record<string, Record<string, number>>} */
  const rows = {}
  for (const [what, all] of times) {
    const sorted = [...all].sort((a, b) => a - b)
    const at = (/** @type {number} */ share) =>
      Number((sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(1))
    rows[what] = {
      count: all.length,
      'per second': Math.round(all.length / seconds),
      p50: at(0.5),
      p99: at(0.99),
      max: at(1),
    }
  }
  console.table(rows)
  console.log('answers by status', statuses, `beside ${slowSockets} slow sockets`)
}
