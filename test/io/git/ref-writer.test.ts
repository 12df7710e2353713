import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Oid, parseOid, zeroOid } from '#src/core/oid.js'
import { RefMoved, RefWriter } from '#src/io/git/ref-writer.js'
import { makeRepository, type TestRepository } from '../../support/repository.js'

const zero = zeroOid('sha1')
const oid = async (name: string): Promise<Oid> =>
  parseOid(await repository.git('rev-parse', '--verify', name))

let repository: TestRepository
let [one, two, three] = [zero, zero, zero]
let writer: RefWriter
beforeAll(async () => {
  repository = await makeRepository({ 'a.txt': 'a\n' })
  one = await oid('HEAD')
  two = await repository.commit('two')
  three = await repository.commit('three')
})
beforeEach(async () => {
  await repository.git('update-ref', 'refs/heads/b', one)
  await repository.git('update-ref', '-d', 'refs/heads/n')
  const gitDir = join(repository.path, '.git')
  const env = { PATH: process.env.PATH ?? '', GIT_DIR: gitDir, HOME: '/nonexistent' }
  writer = new RefWriter({ git: 'git', env, cwd: repository.path, flags: [] }, 'process')
})
afterEach(() => writer.stop())

const b = (from: Oid, to: Oid): { ref: string; old: Oid; new: Oid } => ({
  ref: 'refs/heads/b',
  old: from,
  new: to,
})
const n = (from: Oid, to: Oid): { ref: string; old: Oid; new: Oid } => ({
  ref: 'refs/heads/n',
  old: from,
  new: to,
})
const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'done',
    (error: unknown) => error,
  )
const exists = (name: string): Promise<boolean> =>
  repository.git('rev-parse', '--verify', '--quiet', name).then(
    () => true,
    () => false,
  )

test('a ref is moved, made and deleted', async () => {
  await writer.update([b(one, two)])
  expect(await oid('b')).toBe(two)
  await writer.update([n(zero, one), b(two, three)])
  expect([await oid('n'), await oid('b')]).toEqual([one, three])
  await writer.update([n(one, zero)])
  expect(await exists('refs/heads/n')).toBe(false)
})

test('the reflog tells who moved it', async () => {
  await writer.update([b(one, two)])
  expect(await repository.git('reflog', '-1', '--format=%H %gs %gn <%ge>', 'b')).toBe(
    `${two} editlatch editlatch <editlatch@localhost>`,
  )
})

describe('nothing is moved', () => {
  test('where the ref stands elsewhere; that is told', async () => {
    const error = await failure(writer.update([n(zero, one), b(two, three)]))
    expect(error).toBeInstanceOf(RefMoved)
    expect(error).toMatchObject({ actual: one })
    expect([await oid('b'), await exists('refs/heads/n')]).toEqual([one, false])
  })

  test('where a ref to be made is there, or one to be moved is not', async () => {
    expect(await failure(writer.update([b(zero, two)]))).toBeInstanceOf(RefMoved)
    expect(await failure(writer.update([n(one, two)]))).toBeInstanceOf(RefMoved)
    expect([await oid('b'), await exists('refs/heads/n')]).toEqual([one, false])
  })

  test('where the commit is not there', async () => {
    expect(await failure(writer.update([b(one, parseOid('3'.repeat(40)))]))).toBeInstanceOf(
      RefMoved,
    )
    expect(await oid('b')).toBe(one)
  })

  test('where a file and a directory of refs exclude each other', async () => {
    const below = { ref: 'refs/heads/b/below', old: zero, new: one }
    expect(await failure(writer.update([below]))).toBeInstanceOf(RefMoved)
  })

  test('where it is not confirmed; the lock is held until then', async () => {
    const lock = join(repository.path, '.git/refs/heads/b.lock')
    const refuse = (): void => {
      expect(existsSync(lock)).toBe(true)
      throw new Error('not now')
    }
    expect(await failure(writer.update([b(one, two)], refuse))).toMatchObject({
      message: 'not now',
    })
    expect([await oid('b'), existsSync(lock)]).toEqual([one, false])
    await writer.update([b(one, two)])
    expect(await oid('b')).toBe(two)
  })

  test('where somebody holds the lock, which stays', async () => {
    const lock = join(repository.path, '.git/refs/heads/b.lock')
    writeFileSync(lock, '')
    const error = await failure(writer.update([b(one, two)]))
    expect(error).toBeInstanceOf(RefMoved)
    expect(error).toMatchObject({ actual: undefined, lock: expect.stringContaining('b.lock') })
    expect(existsSync(lock)).toBe(true)
    rmSync(lock)
    await writer.update([b(one, two)])
  })
})

test('after a failure the next one goes on', async () => {
  await failure(writer.update([b(two, three)]))
  await writer.update([b(one, two)])
  expect(await oid('b')).toBe(two)
})

test('several at once are done one after another', async () => {
  const ends = await Promise.allSettled([
    writer.update([b(one, two)]),
    writer.update([b(one, three)]),
    writer.update([n(zero, one)]),
  ])
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect([await oid('b'), await oid('n')]).toEqual([two, one])
})

test('whether a ref stands somewhere', async () => {
  expect(await writer.standsAt('refs/heads/b', one)).toBe(true)
  expect(await writer.standsAt('refs/heads/b', two)).toBe(false)
  expect(await writer.standsAt('refs/heads/n', one)).toBe(false)
})
