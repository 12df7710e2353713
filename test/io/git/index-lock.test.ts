import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { lockIndex, removeDeadOwner, withRecoveryLock } from '#src/io/git/index-lock.js'
import { isHeldBy, tryLock } from '#src/io/git/lock-file.js'
import {
  closeOwnerRecord,
  findDeadOwners,
  listOwners,
  type OwnerRecord,
  openOwnerRecord,
} from '#src/io/git/owner-record.js'

const made: string[] = []
const children = new Set<ChildProcess>()
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
  for (const directory of made) rmSync(directory, { recursive: true, force: true })
})

function makeGitDir(base = tmpdir()): string {
  const directory = mkdtempSync(join(base, 'git-dir-'))
  made.push(directory)
  return directory
}

function start(...args: readonly string[]): ChildProcess {
  const script = fileURLToPath(new URL('lock-child.mjs', import.meta.url))
  const child = spawn(process.execPath, [script, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
  children.add(child)
  child.once('exit', () => children.delete(child))
  return child
}

/** A process that holds `index.lock`. */
async function startHolder(gitDir: string): Promise<ChildProcess> {
  const child = start('hold', gitDir)
  if (child.stdout) await once(child.stdout, 'data')
  return child
}

async function end(child: ChildProcess, signal?: 'SIGKILL'): Promise<void> {
  const ended = once(child, 'exit')
  if (signal === undefined) child.stdin?.end('go\n')
  else child.kill(signal)
  await ended
}

const neverDead = { waitMs: 50, onDeadOwner: () => Promise.reject(new Error('nobody is dead')) }

const healing = (gitDir: string, owner: OwnerRecord, healed: string[] = []) => ({
  waitMs: 10_000,
  onDeadOwner: (record: string) =>
    withRecoveryLock(gitDir, owner, async () => {
      healed.push(record)
      removeDeadOwner(gitDir, record)
    }),
})

describe('index.lock', () => {
  test('is taken where it is free, is our record, and is freed', async () => {
    const gitDir = makeGitDir()
    const owner = openOwnerRecord(gitDir)
    const lock = await lockIndex(gitDir, owner, neverDead)
    expect(lock.path).toBe(join(gitDir, 'index.lock'))
    expect(statSync(lock.path).ino).toBe(statSync(owner.path).ino)
    expect(lock.isHeld()).toBe(true)
    lock.release()
    lock.release()
    expect(readdirSync(gitDir)).toEqual(['editlatch'])
    expect(lock.isHeld()).toBe(false)
  })

  test('of git is waited for and kept', async () => {
    const gitDir = makeGitDir()
    const path = join(gitDir, 'index.lock')
    writeFileSync(path, 'DIRC')
    const refused = lockIndex(gitDir, openOwnerRecord(gitDir), { ...neverDead, waitMs: 3_000 })
    await expect(refused).rejects.toMatchObject({
      code: 'LOCKED',
      data: { reason: 'index.lock', lock: path },
    })
    expect(readFileSync(path, 'utf8')).toBe('DIRC')
  })

  test('is taken when git has finished', async () => {
    const gitDir = makeGitDir()
    writeFileSync(join(gitDir, 'index.lock'), '')
    setTimeout(() => rmSync(join(gitDir, 'index.lock')), 200)
    const lock = await lockIndex(gitDir, openOwnerRecord(gitDir), { ...neverDead, waitMs: 20_000 })
    expect(lock.isHeld()).toBe(true)
  })

  test('of a living process of ours is waited for', async () => {
    const gitDir = makeGitDir()
    const owner = openOwnerRecord(gitDir)
    const holder = await startHolder(gitDir)
    expect(findDeadOwners(gitDir)).toEqual([])
    await expect(lockIndex(gitDir, owner, neverDead)).rejects.toMatchObject({ code: 'LOCKED' })
    const waiting = lockIndex(gitDir, owner, { ...neverDead, waitMs: 20_000 })
    await end(holder)
    expect((await waiting).isHeld()).toBe(true)
    expect(listOwners(gitDir).map(({ path }) => path)).toEqual([owner.path])
  })

  test('of a dead process of ours is healed, with its record', async () => {
    const gitDir = makeGitDir()
    const owner = openOwnerRecord(gitDir)
    await end(await startHolder(gitDir), 'SIGKILL')
    const dead = findDeadOwners(gitDir)
    expect(dead).toHaveLength(1)
    const healed: string[] = []
    const lock = await lockIndex(gitDir, owner, healing(gitDir, owner, healed))
    expect(healed).toEqual(dead.map(({ path }) => path))
    expect(isHeldBy(lock.path, owner)).toBe(true)
    lock.release()
    expect(readdirSync(join(gitDir, 'editlatch'))).toHaveLength(1)
  })

  test('of a dead process stays while nobody heals', async () => {
    const gitDir = makeGitDir()
    await end(await startHolder(gitDir), 'SIGKILL')
    const idle = { waitMs: 50, onDeadOwner: async () => undefined }
    const refused = lockIndex(gitDir, openOwnerRecord(gitDir), idle)
    await expect(refused).rejects.toMatchObject({ code: 'LOCKED' })
    expect(existsSync(join(gitDir, 'index.lock'))).toBe(true)
  })

  test('what healing refuses is answered', async () => {
    const gitDir = makeGitDir()
    await end(await startHolder(gitDir), 'SIGKILL')
    const refused = lockIndex(gitDir, openOwnerRecord(gitDir), neverDead)
    await expect(refused).rejects.toThrow('nobody is dead')
    expect(existsSync(join(gitDir, 'index.lock'))).toBe(true)
  })

  test('of git is kept also beside a dead process of ours', async () => {
    const gitDir = makeGitDir()
    await end(await startHolder(gitDir), 'SIGKILL')
    writeFileSync(join(gitDir, 'other'), readFileSync(join(gitDir, 'index.lock')))
    rmSync(join(gitDir, 'index.lock'))
    writeFileSync(join(gitDir, 'index.lock'), 'DIRC')
    const refused = lockIndex(gitDir, openOwnerRecord(gitDir), neverDead)
    await expect(refused).rejects.toMatchObject({ code: 'LOCKED' })
    for (const { path } of findDeadOwners(gitDir)) removeDeadOwner(gitDir, path)
    expect(readFileSync(join(gitDir, 'index.lock'), 'utf8')).toBe('DIRC')
    expect(findDeadOwners(gitDir)).toEqual([])
  })

  test('that somebody has put in the place of ours is kept', async () => {
    const gitDir = makeGitDir()
    const lock = await lockIndex(gitDir, openOwnerRecord(gitDir), neverDead)
    rmSync(lock.path)
    writeFileSync(lock.path, 'DIRC')
    expect(lock.isHeld()).toBe(false)
    lock.release()
    expect(readFileSync(lock.path, 'utf8')).toBe('DIRC')
  })

  test('is taken also when somebody has cleaned our directory up', async () => {
    const gitDir = makeGitDir()
    const owner = openOwnerRecord(gitDir)
    rmSync(join(gitDir, 'editlatch'), { recursive: true })
    const lock = await lockIndex(gitDir, owner, neverDead)
    expect(isHeldBy(lock.path, owner)).toBe(true)
  })

  test('of a git directory that is gone is an error', async () => {
    const gitDir = makeGitDir()
    const owner = openOwnerRecord(gitDir)
    rmSync(gitDir, { recursive: true })
    await expect(lockIndex(gitDir, owner, neverDead)).rejects.toThrow('ENOENT')
  })

  test('is held by one of two callers in one process', async () => {
    const gitDir = makeGitDir()
    const owner = openOwnerRecord(gitDir)
    const first = await lockIndex(gitDir, owner, neverDead)
    const second = lockIndex(gitDir, owner, { ...neverDead, waitMs: 20_000 })
    first.release()
    await second
    first.release()
    expect([first.isHeld(), (await second).isHeld()]).toEqual([false, true])
  })

  test('2 processes take turns 200 times each', async () => {
    const gitDir = makeGitDir()
    const counter = join(gitDir, 'counter')
    writeFileSync(counter, '0')
    const both = [1, 2].map(() => once(start('index', gitDir, counter, '200'), 'exit'))
    expect(await Promise.all(both)).toEqual([
      [0, null],
      [0, null],
    ])
    expect(readFileSync(counter, 'utf8')).toBe('400')
    expect(existsSync(join(gitDir, 'index.lock'))).toBe(false)
    expect(readdirSync(join(gitDir, 'editlatch'))).toEqual([])
  })
})

test.skipIf(!existsSync('/dev/shm') || statSync('/dev/shm').dev === statSync(tmpdir()).dev)(
  'without hard links the lock is a copy that is taken once',
  () => {
    const gitDir = makeGitDir()
    // A record on another device cannot be linked here.
    const [ours, other] = [makeGitDir('/dev/shm'), makeGitDir('/dev/shm')].map(place =>
      openOwnerRecord(place),
    )
    if (ours === undefined || other === undefined) throw new Error('no records')
    const path = join(gitDir, 'index.lock')
    const lock = tryLock(path, ours)
    expect(readFileSync(path)).toEqual(readFileSync(ours.path))
    expect([isHeldBy(path, ours), isHeldBy(path, other)]).toEqual([true, false])
    expect(tryLock(path, other)).toBeUndefined()
    lock?.release()
    expect(existsSync(path)).toBe(false)
  },
)

describe('recovery', () => {
  test('runs one at a time and answers', async () => {
    const gitDir = makeGitDir()
    const owner = openOwnerRecord(gitDir)
    let running = 0
    const turn = () =>
      withRecoveryLock(gitDir, owner, async () => {
        running += 1
        await new Promise(resolve => setTimeout(resolve, 5))
        running -= 1
        return running
      })
    expect(await Promise.all([turn(), turn(), turn()])).toEqual([0, 0, 0])
  })

  test('frees its lock when it fails', async () => {
    const gitDir = makeGitDir()
    const owner = openOwnerRecord(gitDir)
    const failing = withRecoveryLock(gitDir, owner, () => Promise.reject(new Error('no')))
    await expect(failing).rejects.toThrow('no')
    expect(readdirSync(join(gitDir, 'editlatch'))).toHaveLength(1)
  })

  test('a lock that is not ours is kept', async () => {
    const gitDir = makeGitDir()
    const owner = openOwnerRecord(gitDir)
    const path = join(gitDir, 'editlatch/recovery.lock')
    writeFileSync(path, 'somebody')
    setTimeout(() => rmSync(path), 300)
    expect(await withRecoveryLock(gitDir, owner, async () => existsSync(path))).toBe(true)
  })

  test('goes on behind processes that died in it, however many race', async () => {
    const gitDir = makeGitDir()
    const counter = join(gitDir, 'counter')
    writeFileSync(counter, '0')
    for (let generation = 0; generation < 5; generation += 1) {
      const dying = once(start('die', gitDir), 'exit')
      const living = [1, 2, 3].map(() => once(start('recover', gitDir, counter, '10'), 'exit'))
      expect((await dying)[1]).toBe('SIGKILL')
      for (const exit of await Promise.all(living)) expect(exit).toEqual([0, null])
    }
    expect(readFileSync(counter, 'utf8')).toBe('150')
    const owner = openOwnerRecord(gitDir)
    await withRecoveryLock(gitDir, owner, async () => {
      for (const { path } of findDeadOwners(gitDir)) removeDeadOwner(gitDir, path)
    })
    closeOwnerRecord(owner)
    expect(readdirSync(join(gitDir, 'editlatch'))).toEqual([])
  })

  test('breaks a chain of dead processes that died breaking locks', async () => {
    const gitDir = makeGitDir()
    const own = join(gitDir, 'editlatch')
    const owner = openOwnerRecord(gitDir)
    // Three dead records; the first holds the lock, each next one died on its way to break the last.
    for (let step = 0; step < 3; step += 1)
      await end(await startHolder(mkdirIn(gitDir, step)), 'SIGKILL')
    const dead = [0, 1, 2].map(step => adopt(gitDir, step))
    const [first, second, third] = dead
    if (!first || !second || !third) throw new Error('no records')
    tryLock(join(own, 'recovery.lock'), first)
    tryLock(join(own, `takeover-${first.nonce}.lock`), second)
    tryLock(join(own, `takeover-${second.nonce}.lock`), third)
    expect(await withRecoveryLock(gitDir, owner, async () => 'through')).toBe('through')
    for (const { path } of [first, second, third]) removeDeadOwner(gitDir, path)
    expect(readdirSync(own)).toEqual([owner.path.slice(own.length + 1)])
  })

  test('removes nothing of a living owner', async () => {
    const gitDir = makeGitDir()
    const owner = openOwnerRecord(gitDir)
    const lock = await lockIndex(gitDir, owner, neverDead)
    removeDeadOwner(gitDir, owner.path)
    expect(lock.isHeld()).toBe(true)
    expect(listOwners(gitDir)).toHaveLength(1)
  })
})

function mkdirIn(gitDir: string, step: number): string {
  const directory = join(gitDir, `step-${step}`)
  mkdirSync(directory)
  return directory
}

/** Moves the record of a dead process from a directory of its own into the common one. */
function adopt(gitDir: string, step: number): OwnerRecord | undefined {
  const [dead] = findDeadOwners(join(gitDir, `step-${step}`))
  if (dead === undefined) return undefined
  const path = join(gitDir, 'editlatch', dead.path.slice(dead.path.lastIndexOf('/') + 1))
  writeFileSync(path, readFileSync(dead.path))
  return { ...dead, path, restore: () => undefined }
}
