import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { kill } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { recoverDeadOwner } from '#src/gateway/landing/recover-checkout.js'
import {
  type CrashWorld,
  type Ended,
  findLeftovers,
  makeCrashWorld,
  type When,
} from '../support/crash/crash-world.js'
import { look } from '../support/crash/look.js'
import { filesAfter, variants } from '../support/crash/variants.js'
import { refusal } from '../support/gateway.js'

const files = {
  'a.txt': 'round 0\nkept\n',
  'drift.txt': 'agent\n',
  'm-1.txt': 'moved\n',
  'old-1/gone.txt': 'gone\n',
  'other.txt': 'other\n',
  'run.sh': 'true\n',
}

/** The first step that touches a file of the worktree: the branch has moved. */
const firstFile = 'rename worktree/m-*.txt ours/editlatch-*'
const commit = 'tell update-ref commit'

const makeWorld = (): Promise<CrashWorld> => makeCrashWorld(files, 'process')

/** A batch over many files whose process is killed at a step. */
async function killAt(world: CrashWorld, step: string, when: When = 'before'): Promise<Ended> {
  const edits = variants['many files'].edits(world, 1)
  const ended = await world.start({ edits, key: 'key', killAt: step, when }).ended
  expect(ended.steps.at(-1)).toBe(step)
  return ended
}

function write(world: CrashWorld, path: string, text: string): void {
  const file = join(world.worktree.path, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

type Person = (world: CrashWorld) => void

describe('what a person writes between a crash and the recovery stays', () => {
  const writes =
    (path: string, text = 'person\n'): Person =>
    world =>
      write(world, path, text)
  const removes =
    (path: string): Person =>
    world =>
      rmSync(join(world.worktree.path, path))

  test.each<[string, Person, string, Readonly<Record<string, string | undefined>>]>([
    ['in a file', writes('a.txt'), ' M a.txt\n', { 'a.txt': 'person\n' }],
    ['in an empty file', writes('a.txt', ''), ' M a.txt\n', { 'a.txt': '' }],
    [
      'in a file that was to be made',
      writes('new-1/deep/made.txt'),
      ' M new-1/deep/made.txt\n',
      { 'new-1/deep/made.txt': 'person\n' },
    ],
    [
      'in a file that was to be removed',
      writes('old-1/gone.txt'),
      '?? old-1/gone.txt\n',
      { 'old-1/gone.txt': 'person\n' },
    ],
    [
      'in a file that was to be moved away',
      writes('m-1.txt'),
      '?? m-1.txt\n',
      { 'm-1.txt': 'person\n' },
    ],
    [
      'in a file where one was to be moved to',
      writes('moved-1/m.txt'),
      ' M moved-1/m.txt\n',
      { 'moved-1/m.txt': 'person\n' },
    ],
    [
      'in place of a directory that was to be made',
      writes('new-1'),
      ' D new-1/deep/made.txt\n?? new-1\n',
      { 'new-1': 'person\n', 'new-1/deep/made.txt': undefined },
    ],
    ['by removing a file', removes('a.txt'), ' D a.txt\n', { 'a.txt': undefined }],
    [
      'by putting a link in place of a file',
      world => {
        removes('a.txt')(world)
        symlinkSync('other.txt', join(world.worktree.path, 'a.txt'))
      },
      ' T a.txt\n',
      { 'a.txt': '-> other.txt' },
    ],
  ])('%s', async (_, person, status, kept) => {
    const world = await makeWorld()
    const before = await look(world)
    const after = filesAfter(before.files, variants['many files'].edits(world, 1))
    await killAt(world, firstFile)
    person(world)
    const { gateway, worktree } = await world.open()
    await worktree.text('other.txt')
    const found = await look(world, { since: before.head })
    await gateway.close()
    const expected = Object.entries({ ...after, ...kept }).filter(([, text]) => text !== undefined)
    expect({ ...found, keyed: found.keyed.length, head: '' }).toEqual({
      head: '',
      files: Object.fromEntries(expected),
      status,
      index: 'head',
      fsck: '',
      keyed: 1,
    })
    expect(findLeftovers(world)).toEqual([])
  })

  test('and goes into the next batch as a commit of its own', async () => {
    const world = await makeWorld()
    await killAt(world, firstFile)
    write(world, 'a.txt', 'person\n')
    const { gateway, worktree } = await world.open()
    const receipt = await worktree.replace('a.txt', 'person', 'both')
    await gateway.close()
    expect(receipt.warnings).toEqual([{ code: 'external_changes_committed' }])
    expect(await world.worktree.git('show', `${receipt.parent}:a.txt`)).toBe('person')
    expect(await look(world)).toMatchObject({ status: '', index: 'head', fsck: '' })
  })
})

describe('a branch that somebody moved between a crash and the recovery', () => {
  /** What a person does with the branch; index.lock keeps porcelain away, plumbing is free. */
  async function moveBranch({ worktree }: CrashWorld): Promise<string> {
    const tree = await worktree.git('rev-parse', 'HEAD^{tree}')
    const oid = await worktree.git('commit-tree', tree, '-p', 'HEAD', '-m', 'person')
    await worktree.git('update-ref', 'refs/heads/agent/dora', oid)
    return oid
  }

  test.each<[string, string]>([
    ['before the commit point', 'start update-ref'],
    ['behind the commit point', firstFile],
  ])('%s is DIVERGED; nothing is touched until the intent is deleted', async (_, step) => {
    const world = await makeWorld()
    await killAt(world, step)
    const head = await moveBranch(world)
    const before = await look(world)
    const intent = join(world.gitDir, 'editlatch/intent')
    const { gateway, worktree } = await world.open()
    const refused = { code: 'DIVERGED', status: 409, branch: 'refs/heads/agent/dora', head, intent }
    expect(await refusal(worktree.text('a.txt'))).toEqual(refused)
    expect(await refusal(worktree.worktree.state())).toEqual(refused)
    expect(await refusal(worktree.apply(variants['one file'].edits(world, 2)))).toEqual(refused)
    expect(await look(world)).toEqual(before)
    expect([existsSync(intent), existsSync(join(world.gitDir, 'index.lock'))]).toEqual([true, true])

    rmSync(intent)
    await worktree.replace('other.txt', 'other', 'next')
    expect(await worktree.text('other.txt')).toBe('next\n')
    await gateway.close()
    expect(findLeftovers(world)).toEqual([])
  })
})

test.each<[string, string, When, boolean]>([
  ['a gc that still runs', commit, 'frozen', true],
  ['a gc that is over', commit, 'frozen', false],
  ['a prune that looked before the branch moved', firstFile, 'before', false],
])(
  'CRASH-3: what %s took of a batch is there, though its process ended',
  async (_title, step, when, isRunning) => {
    const world = await makeWorld()
    const objects = join(world.repository.path, '.git/objects')
    const looseObjects = (): readonly string[] =>
      readdirSync(objects, { recursive: true, encoding: 'utf8' }).filter(path =>
        /^[0-9a-f]{2}.[0-9a-f]+$/.test(path),
      )
    const before = await look(world)
    const edits = variants['many files'].edits(world, 1)
    const old = new Set(looseObjects())
    if (isRunning)
      writeFileSync(join(world.repository.path, '.git/gc.pid'), `${process.pid} ${hostname()}`)
    const { stopped } = await killAt(world, step, when)
    const taken = looseObjects().filter(path => !old.has(path))
    for (const path of taken) rmSync(join(objects, path))
    expect(taken.length).toBeGreaterThan(3)
    if (stopped !== undefined) kill(stopped, 'SIGCONT')
    const { gateway } = await world.open()
    const other = await gateway.open('erik')
    expect(await other.worktree.state()).toMatchObject({ dirty: [], unlanded_commits: 0 })
    await gateway.gateway.finishLeftWork()
    expect(await look(world)).toMatchObject({
      files: filesAfter(before.files, edits),
      status: '',
      index: 'head',
      fsck: '',
    })
    await gateway.close()
  },
)

describe('what a dead process has left running or standing', () => {
  test('CRASH-5: a git that moves the branch late is waited for', async () => {
    const world = await makeWorld()
    const before = await look(world)
    const after = filesAfter(before.files, variants['many files'].edits(world, 1))
    const { stopped } = await killAt(world, commit, 'frozen')
    if (stopped === undefined) throw new Error('no git was stopped')
    const { gateway, worktree } = await world.open()
    const reading = worktree.text('a.txt')
    await sleep(300)
    kill(stopped, 'SIGCONT')
    await reading
    expect(await look(world, { since: before.head })).toMatchObject({
      files: after,
      status: '',
      index: 'head',
    })
    await gateway.close()
    expect(findLeftovers(world)).toEqual([])
  })

  test('a git that wakes long after its lock was removed moves nothing', async () => {
    const world = await makeWorld()
    const { stopped } = await killAt(world, commit, 'frozen')
    if (stopped === undefined) throw new Error('no git was stopped')
    const { gateway, worktree } = await world.open()
    await worktree.replace('other.txt', 'other', 'next')
    const before = await look(world)
    kill(stopped, 'SIGCONT')
    while (isAlive(stopped)) await sleep(5)
    expect(await look(world)).toEqual(before)
    await worktree.replace('other.txt', 'next', 'last')
    expect(await look(world)).toMatchObject({ status: '', index: 'head', fsck: '' })
    await gateway.close()
    expect(findLeftovers(world)).toEqual([])
  })

  test('a late second recovery leaves a living process alone', async () => {
    const world = await makeWorld()
    await killAt(world, firstFile)
    const record = findLeftovers(world).find(path => path.includes('/owner-')) ?? ''
    const { gateway, worktree } = await world.open()
    await worktree.text('a.txt')
    const edits = variants['one file'].edits(world, 2)
    const pausedAt = 'open ours/editlatch-*'
    const run = world.start({ edits, key: 'living', killAt: pausedAt, when: 'paused' })
    await untilStopped(run.child.pid ?? 0)
    const standing = findLeftovers(world)
    const path = join(world.repository.path, '.git', record)
    await recoverDeadOwner(worktree.worktree.checkout, path)
    expect(findLeftovers(world)).toEqual(standing)
    run.child.kill('SIGCONT')
    const { answer } = await run.ended
    const found = await look(world)
    expect({ commit: answer?.commit, ...found }).toMatchObject({
      commit: found.head,
      status: '',
      index: 'head',
    })
    await gateway.close()
    expect(findLeftovers(world)).toEqual([])
  })

  test('locks of a git that was killed too are removed where the intent proves them ours', async () => {
    const world = await makeWorld()
    const before = await look(world)
    const { stopped } = await killAt(world, commit, 'frozen')
    if (stopped === undefined) throw new Error('no git was stopped')
    kill(stopped, 'SIGKILL')
    const locks = ['refs/heads/agent/dora.lock', 'worktrees/dora/HEAD.lock']
    expect(findLeftovers(world)).toEqual(expect.arrayContaining(locks))
    const { gateway, worktree } = await world.open()
    await worktree.text('a.txt')
    expect(await look(world)).toEqual(before)
    await worktree.replace('other.txt', 'other', 'next')
    await gateway.close()
    expect(findLeftovers(world)).toEqual([])
  })

  test("somebody else's lock of the branch stays, and the refusal names it", async () => {
    const world = await makeWorld()
    const before = await look(world)
    await killAt(world, 'start update-ref')
    const lock = join(world.repository.path, '.git/refs/heads/agent/dora.lock')
    writeFileSync(lock, 'somebody')
    const { gateway, worktree } = await world.open()
    const refused = await refusal(worktree.text('a.txt'))
    expect(refused).toMatchObject({ code: 'LOCKED', lock: expect.stringContaining('dora.lock') })
    expect(readFileSync(lock, 'utf8')).toBe('somebody')
    expect(await look(world)).toEqual(before)
    rmSync(lock)
    await worktree.text('a.txt')
    await gateway.close()
    expect(findLeftovers(world)).toEqual([])
  })
})

function isAlive(pid: number): boolean {
  try {
    return kill(pid, 0)
  } catch {
    return false
  }
}

/** Settles when a process has been stopped by a signal. */
async function untilStopped(pid: number): Promise<void> {
  for (;;) {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    if (stat.slice(stat.lastIndexOf(')') + 2).startsWith('T')) return
    await sleep(5)
  }
}
