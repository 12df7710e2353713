// Cuts the power of the disk that a server works on, right after it has acknowledged a batch, and looks whether all
// that was acknowledged is there:
//   npm run power-cut -- [--rounds 10] [--seed N] [--durability power]
// Root only, because it mounts a disk of its own. With `--durability process` losses are counted but no failure.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Disk, NotAllowed } from './power-cut/disk.mjs'
import { gitText, tryGit } from './replay/git.mjs'
import { startServer } from './replay/server.mjs'
import { randomFrom } from './torture/random.mjs'

/** @typedef {import('./replay/server.mjs').Server} Server */

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    durability: { type: 'string', default: 'power' },
  },
})
const rounds = Number(values.rounds)
const { durability } = values
const random = randomFrom(Number(values.seed))
const totals = {
  rounds: 0,
  acknowledged: 0,
  materialised: 0,
  'refused by the dead disk': 0,
  lost: 0,
  'unreadable repositories': 0,
  'other damage': 0,
  'files recovered': 0,
  'next batches done': 0,
}

const directory = mkdtempSync(join(tmpdir(), 'editlatch-power-cut-'))
const disk = new Disk(directory)
/** @type {{ current?: Server }} */
const running = {}
console.log(`seed ${values.seed}, ${rounds} rounds, durability ${durability}`)
try {
  for (let round = 1; round <= rounds; round += 1) await cutOnce(round)
  console.table(totals)
  if (!totals.rounds || !totals.acknowledged) throw new Error('nothing was tried')
  const losses = totals.lost + totals['unreadable repositories'] + totals['other damage']
  if (durability === 'power' && losses > 0) throw new Error('what was acknowledged was lost')
  console.log(losses === 0 ? 'nothing acknowledged was lost' : 'losses, as `process` allows')
} catch (error) {
  if (!(error instanceof NotAllowed) || totals.rounds > 0) throw error
  console.log(`not run: ${error.message}`)
} finally {
  await endServer()
  await disk.unmount()
  rmSync(directory, { recursive: true, force: true })
}

/** One that could not start has ended already. */
async function endServer() {
  await running.current?.kill('group').catch(() => {})
  delete running.current
}

/** @param {number} round */
async function cutOnce(round) {
  disk.make()
  const repository = join(disk.place, 'repository')
  makeRepository(repository)
  const server = await start(repository)
  // Every third time the files come last.
  const files = round % 3 === 0 ? 'none' : 'all'
  const opened = await server.post('/v1/worktrees', { agent: 'ada', files })
  if (opened.status !== 201) throw new Error(`no worktree: ${JSON.stringify(opened.body)}`)
  /** @type {string[]} */
  const acknowledged = []
  const batches = 1 + random(6)
  for (let number = 1; number <= batches; number += 1) {
    acknowledged.push(await sendBatch(server, `${round}-${number}`))
  }
  if (files === 'none') await materialise(server)
  // Every second time in the middle of the next batches.
  const working = round % 2 === 0 ? sendUntilCut(server, round, acknowledged) : undefined
  await disk.cut()
  await working
  await server.kill('group')
  await disk.unmount()
  disk.mount()
  totals.rounds += 1
  totals.acknowledged += acknowledged.length
  delete running.current
  await checkAfter(repository, opened.body, acknowledged)
  await endServer()
  delete running.current
  await disk.unmount()
}

/** @param {Server} server */
async function materialise(server) {
  const { status, body } = await server.post('/v1/worktrees/ada/materialise', {})
  if (status !== 200 || body.absent_files !== 0)
    throw new Error(`materialise: ${status} ${JSON.stringify(body)}`)
  totals.materialised += 1
}

/**
 * What the server does after the cut it must not acknowledge, since nothing reaches the disk.
 * @param {Server} server
 * @param {number} round
 * @param {string[]} acknowledged
 */
async function sendUntilCut(server, round, acknowledged) {
  for (let number = 1; ; number += 1) {
    try {
      acknowledged.push(await sendBatch(server, `${round}-late-${number}`))
    } catch (error) {
      const told = String(error)
      totals['refused by the dead disk'] += 1
      if (!/: 50[37] /.test(told)) throw new Error(`on the dead disk: ${told}`)
      return
    }
  }
}

/** @param {string} repository */
function makeRepository(repository) {
  gitText('/', ['init', '--quiet', '-b', 'main', repository])
  const files = ['a', 'b', 'c'].map(name => `${name}.txt`)
  for (const file of files) tryGit(repository, ['hash-object', '-w', '--stdin'], file)
  const tree = files.map(
    file => `100644 blob ${gitText(repository, ['hash-object', '--stdin'], file)}\t${file}\n`,
  )
  const oid = gitText(repository, ['mktree'], tree.join(''))
  gitText(repository, ['reset', '--hard', gitText(repository, ['commit-tree', '-m', 'first', oid])])
  disk.sync()
}

/** @param {string} repository */
async function start(repository) {
  const state = join(disk.place, 'state')
  delete running.current
  const server = await startServer(repository, { state, log: join(directory, 'log'), durability })
  running.current = server
  return server
}

/**
 * Changes two files, makes one and removes the one made before.
 * @param {Server} server
 * @param {string} name
 * @returns {Promise<string>} the commit that was acknowledged
 */
async function sendBatch(server, name) {
  const base = '/v1/worktrees/ada'
  const edits = []
  for (const path of ['a.txt', 'b.txt']) {
    const { status, body } = await server.get(`${base}/file?path=${path}`)
    if (status !== 200) throw new Error(`read: ${status} ${JSON.stringify(body)}`)
    edits.push({ op: 'write_file', path, expected_rev: body.rev, text: `${path} ${name}\n` })
  }
  const path = `made-${name}/deep.txt`
  edits.push({ op: 'write_file', path, expected_rev: null, text: `${name}\n` })
  const { status, body } = await server.post(`${base}/batches`, { edits, idempotency_key: name })
  if (status !== 201) throw new Error(`batch ${name}: ${status} ${JSON.stringify(body)}`)
  return body.commit
}

/**
 * @param {string} repository
 * @param {{ readonly branch: string, readonly path: string }} opened
 * @param {readonly string[]} acknowledged
 */
async function checkAfter(repository, { branch, path }, acknowledged) {
  const log = tryGit(repository, ['log', '--format=%H', `refs/heads/${branch}`])
  const kept = new Set(log.stdout.toString().split('\n'))
  const lost = acknowledged.filter(commit => !kept.has(commit))
  totals.lost += lost.length
  const fsck = tryGit(repository, ['fsck', '--no-dangling', '--no-progress'])
  if (log.status !== 0 || fsck.status !== 0 || !existsSync(path)) {
    totals['unreadable repositories'] += 1
    if (durability === 'power')
      console.log(`${log.stderr}${fsck.stdout}${fsck.stderr}${existsSync(path) ? '' : path}`)
    return
  }
  if (lost.length > 0) {
    if (durability === 'power') console.log(`lost ${lost.join(' ')}`)
    return
  }
  const behind = tryGit(path, ['diff-index', '--name-only', 'HEAD'])
  totals['files recovered'] += behind.stdout.toString().split('\n').filter(Boolean).length
  const server = await start(repository).catch(error => fail(`no start: ${error}`))
  if (server === undefined) return
  const again = await server.post('/v1/worktrees', { agent: 'ada' })
  const state = await server.get('/v1/worktrees/ada')
  if (again.status !== 201 || JSON.stringify(state.body.dirty) !== '[]')
    return fail(`after the cut: ${JSON.stringify(again.body)} ${JSON.stringify(state.body)}`)
  const next = await sendBatch(server, 'next').catch(String)
  if (next.includes(' ')) return fail(`no next batch: ${next}`)
  const status = gitText(path, ['status', '--porcelain', '--untracked-files=all'])
  if (status !== '') return fail(`after the next batch: ${status}`)
  gitText(repository, ['fsck', '--no-dangling', '--no-progress'])
  totals['next batches done'] += 1
}

/**
 * Under `process` files may be lost too, which is drift then.
 * @param {string} problem
 * @returns {undefined}
 */
function fail(problem) {
  if (durability === 'power') throw new Error(problem)
  totals['other damage'] += 1
}
