// `npm run growth -- [--batches 10000] [--place DIR]`: sends so many batches to one gateway in this process and looks every
// thousandth of ten at what could grow: memory, children, open files, loose objects and packs. Exit code 1 where one does.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { defaultLimits } from '../dist/core/limits.js'
import { parseRepoPath } from '../dist/core/repo-path.js'
import { parseBatch } from '../dist/edit/batch.js'
import { Gateway } from '../dist/gateway/gateway.js'
import { buildRepository } from './bench/build-repository.mjs'
import { describeMachine } from './bench/machine.mjs'
import { gitEnvironment, gitText } from './replay/git.mjs'
import { stop } from './setup.mjs'
import { randomFrom } from './torture/random.mjs'

const { values } = parseArgs({
  options: {
    batches: { type: 'string', default: '10000' },
    place: { type: 'string', default: tmpdir() },
  },
})
const batches = Number(values.batches)
if (!(batches >= 10)) stop('--batches is a number from 10')
const files = 500
const steps = 10
/** What may be more at the end than after the third step, when caches and code have come to rest. */
const mayGrow = {
  'heap MiB': 24,
  'rss MiB': 96,
  children: 1,
  'open files': 8,
  'files of children': 8,
}
const most = { loose: 2 * defaultLimits.looseObjects, packs: 12 }

console.log(describeMachine())
const place = mkdtempSync(join(values.place, 'editlatch-growth-'))
try {
  const table = await run()
  console.table(table)
  const grown = findGrowth(table)
  for (const line of grown) console.log(line)
  console.log(grown.length === 0 ? `${batches} batches, nothing grows` : 'something grows')
  process.exitCode = grown.length === 0 ? 0 : 1
} finally {
  rmSync(place, { recursive: true, force: true, maxRetries: 5 })
}

/** @typedef {ReturnType<typeof look>} Look */

/** @returns {Promise<readonly Look[]>} */
async function run() {
  const repository = join(place, 'repository')
  await buildRepository(repository, files)
  const gateway = await Gateway.open({
    repositories: [repository],
    stateDir: join(place, 'state'),
    worktreesDir: join(place, 'worktrees'),
    durability: 'process',
    branchPrefix: 'agent',
    allowProtected: [],
    trustConfig: false,
    limits: defaultLimits,
    secret: 'only to look for growth',
    host: gitEnvironment,
    onFault: error => console.log('fault', error),
  })
  try {
    const { id, path } = await gateway.openWorktree({ agent: 'grower' })
    const worktree = await gateway.worktree(id)
    const paths = gitText(path, ['ls-files']).split('\n')
    const random = randomFrom(1)
    const looks = []
    let slowestMs = 0
    let started = performance.now()
    for (let batch = 1; batch <= batches; batch += 1) {
      const at = performance.now()
      await worktree.apply(await edit(worktree, paths[random(paths.length)] ?? '', batch))
      slowestMs = Math.max(slowestMs, performance.now() - at)
      if (batch % Math.ceil(batches / steps) !== 0 && batch !== batches) continue
      const ms = (performance.now() - started) / Math.ceil(batches / steps)
      looks.push({ batch, ...look(repository, ms, slowestMs) })
      slowestMs = 0
      started = performance.now()
    }
    check(path)
    return looks
  } finally {
    await gateway.close()
  }
}

/**
 * @param {import('../dist/gateway/worktree.js').Worktree} worktree
 * @param {string} path
 * @param {number} batch
 */
async function edit(worktree, path, batch) {
  const { oid } = await worktree.read(parseRepoPath(path))
  const line = { op: /** @type {const} */ ('replace_lines'), start_line: 1, end_line: 1 }
  const edits = [{ ...line, path, expected_rev: oid, text: `batch ${batch}` }]
  return parseBatch({ edits }, defaultLimits)
}

/**
 * @param {string} repository
 * @param {number} ms
 * @param {number} slowestMs
 */
function look(repository, ms, slowestMs) {
  globalThis.gc?.()
  const memory = process.memoryUsage()
  const children = childrenOf(process.pid)
  const counts = new Map(
    gitText(repository, ['count-objects', '-v'])
      .split('\n')
      .map(line => /** @type {const} */ ([line.split(': ')[0], Number(line.split(': ')[1])])),
  )
  return {
    'ms a batch': Math.round(ms * 10) / 10,
    'slowest ms': Math.round(slowestMs),
    'heap MiB': Math.round(memory.heapUsed / 2 ** 20),
    'rss MiB': Math.round(memory.rss / 2 ** 20),
    children: children.length,
    'open files': openFiles(process.pid),
    'files of children': children.reduce((sum, pid) => sum + openFiles(pid), 0),
    loose: counts.get('count') ?? 0,
    packs: counts.get('packs') ?? 0,
    garbage: counts.get('garbage') ?? 0,
  }
}

/** Those that live long; a packing that runs just now is none of them. @param {number} pid @returns {readonly number[]} */
function childrenOf(pid) {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1')
  const pids = text.split(' ').filter(Boolean).map(Number)
  return pids.filter(child => !readFileSync(`/proc/${child}/cmdline`, 'latin1').includes('repack'))
}

/** @param {number} pid */
function openFiles(pid) {
  return readdirSync(`/proc/${pid}/fd`).length
}

/** @param {readonly Look[]} table @returns {readonly string[]} */
function findGrowth(table) {
  const [rested, last] = [table[2], table.at(-1)]
  if (rested === undefined || last === undefined) return ['nothing was looked at']
  const told = []
  for (const [name, allowed] of Object.entries(mayGrow)) {
    const [from, to] = [Number(Reflect.get(rested, name)), Number(Reflect.get(last, name))]
    if (to > from + allowed) told.push(`${name}: ${from} after three steps, ${to} at the end`)
  }
  for (const [name, limit] of Object.entries(most)) {
    const top = Math.max(...table.map(row => Number(Reflect.get(row, name))))
    if (top > limit) told.push(`${name}: ${top}, not at most ${limit}`)
  }
  return told
}

/** @param {string} path */
function check(path) {
  const made = Number(gitText(path, ['rev-list', '--count', 'main..HEAD']))
  const status = gitText(path, ['status', '--porcelain'])
  const fsck = gitText(path, ['fsck', '--no-dangling', '--no-progress'])
  if (made !== batches || status !== '' || fsck !== '')
    throw new Error(`${made} commits, ${status}, ${fsck}`)
}
