// Many clients at once on a server: mixed reads and edits, first alone, then beside slow clients and a flood.
//   npm run load -- [--seconds 60] [--clients 64] [--worktrees 16]
// Fails where a client that behaves gets a 5xx or a 429, or waits too long.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { buildRepository } from './bench/build-repository.mjs'
import { flood } from './load/flood.mjs'
import { openSlowClients } from './load/slow-clients.mjs'
import { Times } from './load/times.mjs'
import { gitText } from './replay/git.mjs'
import { startServer } from './replay/server.mjs'
import { randomFrom } from './torture/random.mjs'

/**
 * @typedef {import('./replay/server.mjs').Answer} Answer
 * @typedef {import('./replay/server.mjs').Server} Server
 * @typedef {Pick<Server, 'get' | 'post'> & { readonly path: string, readonly token: string, readonly base: string }} WorktreeClient
 */

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    clients: { type: 'string', default: '64' },
    worktrees: { type: 'string', default: '16' },
    durability: { type: 'string', default: 'process' },
  },
})
const seconds = Number(values.seconds) / 2
const slowClients = 100
const floodAtOnce = 48
/** Whoever waits longer has given up. */
const patienceMs = 30_000

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
  const server = await startServer(repository, {
    state: join(place, 'state'),
    log: join(place, 'log'),
    durability: values.durability,
  })
  const agents = await openAgents(server, Number(values.worktrees))
  const alone = await workAll(agents)
  const beside = await workBeside(server, agents)
  await server.stop()
  for (const [name, times] of Object.entries({
    alone,
    'beside slow clients and a flood': beside,
  })) {
    console.log(`${values.clients} clients, ${values.worktrees} worktrees, ${seconds} s, ${name}:`)
    console.table(times.rows(seconds))
    console.log('answers by status', times.statuses)
  }
  for (const { path } of agents) {
    const dirty = gitText(path, ['status', '--porcelain'])
    if (dirty !== '') throw new Error(`${path} is not clean:\n${dirty}`)
  }
  const statuses = [alone, beside].flatMap(times => Object.keys(times.statuses))
  const bad = statuses.filter(status => !/^[234]..$/.test(status) || status === '429')
  if (bad.length > 0) throw new Error(`answers that must not be: ${bad.join(', ')}`)
}

/**
 * @param {Server} server
 * @param {readonly WorktreeClient[]} agents
 */
async function workBeside(server, agents) {
  const flooder = await openAgent(server, 'flooder')
  const slowAgents = []
  for (let number = 0; number < 7; number += 1)
    slowAgents.push(await openAgent(server, `slow-${number}`))
  const slow = openSlowClients(server.url, { agents: slowAgents, count: slowClients })
  const until = performance.now() + seconds * 1000
  const [times, flooded] = await Promise.all([
    workAll(agents),
    flood(flooder, { atOnce: floodAtOnce, until }),
  ])
  slow.close()
  console.log(`${slowClients} slow clients at a time, connections:`, slow.counts)
  console.log(`a flood of one token, ${floodAtOnce} at a time, answers by status:`, flooded)
  const isBad = Object.keys(flooded).some(status => !/^(200|429)$/.test(status))
  if (isBad || !flooded[200]) throw new Error('the flood must be answered, too')
  return times
}

/**
 * @param {Server} server
 * @param {number} count
 */
async function openAgents(server, count) {
  const agents = []
  for (let number = 0; number < count; number += 1)
    agents.push(await openAgent(server, `agent-${number}`))
  return agents
}

/**
 * @param {Server} server
 * @param {string} name
 * @returns {Promise<WorktreeClient>}
 */
async function openAgent(server, name) {
  const { status, body } = await server.post('/v1/worktrees', { agent: name })
  if (status !== 201) throw new Error(JSON.stringify(body))
  const { token, path } = body
  const as = server.as(token)
  const base = `/v1/worktrees/${name}`
  return {
    path,
    token,
    base,
    get: below => as.get(`${base}${below}`),
    post: (below, sent) => as.post(`${base}${below}`, sent),
  }
}

/** @param {readonly WorktreeClient[]} agents */
async function workAll(agents) {
  const times = new Times()
  const until = performance.now() + seconds * 1000
  const clients = Array.from({ length: Number(values.clients) }, (_, index) => {
    const agent = agents[index % agents.length]
    return agent && work(agent, { random: randomFrom(index), until, times })
  })
  await Promise.all(clients)
  return times
}

/**
 * Four reads or lists for each edit; a conflict is an answer like any other.
 * @param {WorktreeClient} agent
 * @param {{ readonly random: (below: number) => number, readonly until: number, readonly times: Times }} how
 */
async function work(agent, { random, until, times }) {
  const timed = async (/** @type {string} */ what, /** @type {Promise<Answer>} */ asked) => {
    const started = performance.now()
    const answer = await patiently(asked)
    times.note(what, answer?.status ?? 'timed out', performance.now() - started)
    return answer
  }
  const listed = await timed('files', agent.get('/files'))
  /** @type {readonly string[]} */
  const files = listed?.status === 200 ? listed.body.files : []
  while (performance.now() < until && files.length > 0) {
    const path = files[random(files.length)] ?? ''
    const read = await timed('read', agent.get(`/file?path=${encodeURIComponent(path)}`))
    if (random(20) === 0) await timed('files', agent.get('/files?prefix=part-1'))
    if (random(20) === 0) await timed('diff', agent.get('/diff'))
    if (read?.status !== 200 || random(4) !== 0) continue
    const line = 1 + random(Math.max(read.body.total_lines, 1))
    const text = `line ${random(1e6)}`
    const edit = { op: 'insert_lines', path, expected_rev: read.body.rev, line, text }
    await timed('edit', agent.post('/batches', { edits: [edit] }))
  }
}

/**
 * @param {Promise<Answer>} asked
 * @returns {Promise<Answer | undefined>}
 */
async function patiently(asked) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer
  /** @type {Promise<undefined>} */
  const givenUp = new Promise(resolve => {
    timer = setTimeout(() => resolve(undefined), patienceMs)
  })
  const answer = await Promise.race([asked, givenUp])
  clearTimeout(timer)
  return answer
}
