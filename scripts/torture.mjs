// Kills the server at random moments under load, again and again, while a person uses git in the main checkout, and looks
// whether it kept its promises:
//   npm run torture -- [--rounds 100] [--seed N] [--durability process]
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { buildRepository } from './bench/build-repository.mjs'
import { gitText } from './replay/git.mjs'
import { startServer } from './replay/server.mjs'
import { Agent } from './torture/agent.mjs'
import { checkAgents, checkRepository } from './torture/check.mjs'
import { useGitBeside } from './torture/person.mjs'
import { randomFrom } from './torture/random.mjs'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '100' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    durability: { type: 'string', default: 'process' },
  },
})
const rounds = Number(values.rounds)
const seed = Number(values.seed)
const random = randomFrom(seed)
const names = ['ada', 'ben', 'cleo', 'dan']
const files = 300
const fsckEvery = 10

const place = mkdtempSync(join(tmpdir(), 'editlatch-torture-'))
const bare = join(place, 'origin.git')
const repository = join(place, 'work')
console.log(`seed ${seed}, ${rounds} rounds, durability ${values.durability}`)
let isKept = true
try {
  await buildRepository(bare, files)
  gitText('/', ['clone', '--quiet', bare, repository])
  const totals = await run()
  console.table(totals)
  const proven = [
    'rounds',
    'killed alone',
    'killed with group',
    'acknowledged',
    'checked clean',
    "a person's gc",
    "a person's rebase",
  ]
  if (proven.some(name => !totals[name])) throw new Error('something was never tried')
  console.log('nothing acknowledged was lost, no half batch was seen')
  isKept = false
} finally {
  if (isKept) console.log(`what it left is in ${place}`)
  else rmSync(place, { recursive: true, force: true, maxRetries: 5 })
}

/** @returns {Promise<Record<string, number>>} */
async function run() {
  const options = {
    state: join(place, 'state'),
    log: join(place, 'server.log'),
    durability: values.durability,
  }
  const agents = names.map((name, index) => new Agent(name, randomFrom(seed + index + 1)))
  const totals = count(agents)
  /** @type {Promise<Readonly<Record<string, number>>> | undefined} */
  let person
  let isOver = false
  for (let round = 1; round <= rounds; round += 1) {
    const server = await startServer(repository, options)
    for (const agent of agents) await agent.open(server)
    // A git that makes a worktree disturbs others; from now on none does.
    person ??= useGitBeside(repository, randomFrom(seed - 1), () => isOver)
    const checked = await checkAgents(agents, server)
    for (const [name, number] of Object.entries(checked)) totals.add(name, number)
    if (round % fsckEvery === 0) totals.add('fsck clean', checkRepository(repository))
    const working = agents.map(agent => agent.work(server))
    // On a slow machine too, something must have been done before every second kill.
    if (random(2) === 0) await nextAnswer(agents)
    await sleep(30 + random(400))
    const whom = random(2) === 0 ? 'process' : 'group'
    await server.kill(whom)
    await Promise.all(working)
    totals.add(whom === 'process' ? 'killed alone' : 'killed with group', 1)
    totals.add('rounds', 1)
  }
  isOver = true
  for (const [name, number] of Object.entries((await person) ?? {})) totals.add(name, number)
  const server = await startServer(repository, options)
  for (const agent of agents) await agent.open(server)
  for (const [name, number] of Object.entries(await checkAgents(agents, server)))
    totals.add(name, number)
  await server.stop()
  totals.add('fsck clean', checkRepository(repository))
  return totals.all()
}

/**
 * Waits for the next batch that is acknowledged, but not for ever.
 * @param {readonly Agent[]} agents
 */
async function nextAnswer(agents) {
  const answered = () => agents.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0)
  const before = answered()
  for (let waited = 0; waited < 10_000 && answered() === before; waited += 10) await sleep(10)
}

/** @param {readonly Agent[]} agents */
function count(agents) {
  /** @type {Record<string, number>} */
  const sums = {}
  return {
    add(/** @type {string} */ name, /** @type {number} */ number) {
      sums[name] = (sums[name] ?? 0) + number
    },
    all() {
      for (const { acknowledged, unanswered, refusals } of agents) {
        sums.acknowledged = (sums.acknowledged ?? 0) + acknowledged.length
        sums['unanswered at a kill'] = (sums['unanswered at a kill'] ?? 0) + unanswered
        sums.refused = (sums.refused ?? 0) + refusals
      }
      return sums
    },
  }
}
