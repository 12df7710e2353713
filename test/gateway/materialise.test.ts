import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { chmod, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { kill } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { materialise } from '#src/gateway/materialise.js'
import type { MaterialisedAnswer } from '#src/gateway/telling/answers.js'
import { lockIndex } from '#src/io/git/index-lock.js'
import { closeOwnerRecord, openOwnerRecord } from '#src/io/git/owner-record.js'
import {
  create,
  expectClean,
  openGateway,
  refusal,
  type TestGateway,
  type TestWorktree,
} from '../support/gateway.js'
import { makeRepository, type TestRepository } from '../support/repository.js'

const files = {
  'a.txt': 'a\n',
  'b/b.txt': 'b\n',
  'b/c/d.txt': 'd\n',
  'bb/x.txt': 'x\n',
  'run.sh': { text: '#!/bin/sh\n', mode: '755' },
  link: { symlink: 'a.txt' },
  '.gitattributes': 'eol.txt text eol=crlf\n',
  'eol.txt': 'one\ntwo\n',
} as const

let repository: TestRepository
let served: TestGateway
beforeAll(async () => {
  repository = await makeRepository(files)
  served = await openGateway(repository)
})

const openEmpty = (): Promise<TestWorktree> =>
  served.open(`x${randomUUID().slice(0, 8)}`, { files: 'none' })

async function materialised(
  { worktree }: TestWorktree,
  ...paths: readonly string[]
): Promise<Omit<MaterialisedAnswer, 'id'>> {
  const { id, ...told } = await materialise(worktree, paths.length === 0 ? {} : { paths })
  expect(id).toBe(worktree.id)
  return told
}

const onDisk = ({ path }: Pick<TestWorktree, 'path'>): readonly string[] =>
  readdirSync(path, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter(entry => !entry.isDirectory() && entry.name !== '.git')
    .map(entry => join(entry.parentPath, entry.name).slice(path.length + 1))
    .sort()

/** Each entry of the index as a full checkout leaves it: with the stat data of its file, and no mark. */
async function expectFull(worktree: TestWorktree): Promise<void> {
  await expectClean(worktree)
  expect(await worktree.git('ls-files', '-t')).not.toMatch(/^[^H]/m)
  expect(await worktree.git('diff-files', '--name-only')).toBe('')
  expect(onDisk(worktree)).toEqual((await worktree.git('ls-files')).split('\n').sort())
}

describe('everything', () => {
  test('is written as a full checkout writes it, once', async () => {
    const worktree = await openEmpty()
    await worktree.replace('a.txt', 'a', 'A')
    expect(await materialised(worktree)).toEqual({ written: 8, kept: [], absent_files: 0 })
    await expectFull(worktree)
    expect(readFileSync(join(worktree.path, 'a.txt'), 'utf8')).toBe('A\n')
    expect(readFileSync(join(worktree.path, 'eol.txt'), 'utf8')).toBe('one\r\ntwo\r\n')
    expect(await materialised(worktree)).toEqual({ written: 0, kept: [], absent_files: 0 })
    const state = await worktree.worktree.state()
    expect([state.absent_files, state.files, state.dirty]).toEqual([0, undefined, []])
  })

  test('is an ordinary worktree from then on', async () => {
    const worktree = await openEmpty()
    await materialised(worktree)
    await worktree.apply([create('n.txt', 'n\n'), create('x/y.txt', 'y\n')])
    await worktree.replace('b/b.txt', 'b', 'B')
    await expectFull(worktree)
    await rm(join(worktree.path, 'a.txt'))
    expect(await refusal(worktree.rev('a.txt'))).toMatchObject({ code: 'FILE_NOT_FOUND' })
  })

  test('does nothing in a worktree that has its files', async () => {
    const worktree = await served.open('full')
    await rm(join(worktree.path, 'a.txt'))
    expect(await materialised(worktree)).toEqual({ written: 0, kept: [], absent_files: 0 })
    expect(existsSync(join(worktree.path, 'a.txt'))).toBe(false)
  })
})

describe('some paths', () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ['a file', ['a.txt'], ['a.txt']],
    ['a directory', ['b'], ['b/b.txt', 'b/c/d.txt']],
    ['both', ['bb', 'b/c', 'link'], ['b/c/d.txt', 'bb/x.txt', 'link']],
  ])('%s', async (_, paths, written) => {
    const worktree = await openEmpty()
    const left = 8 - written.length
    const told = { written: written.length, kept: [], absent_files: left }
    expect(await materialised(worktree, ...paths)).toEqual(told)
    expect(onDisk(worktree)).toEqual(written)
    expect(await materialised(worktree, ...paths)).toEqual({ ...told, written: 0 })
    await expectClean(worktree)
    expect((await worktree.worktree.state()).absent_files).toBe(left)
    expect(await materialised(worktree)).toMatchObject({ written: left, absent_files: 0 })
    await expectFull(worktree)
  })

  test('new files go beside those that are there, others stay in git', async () => {
    const worktree = await openEmpty()
    await materialised(worktree, 'b')
    await worktree.apply([create('b/n.txt', 'n\n'), create('bb/n.txt', 'n\n')])
    await worktree.replace('b/b.txt', 'b', 'B')
    await worktree.replace('bb/x.txt', 'x', 'X')
    expect(onDisk(worktree)).toEqual(['b/b.txt', 'b/c/d.txt', 'b/n.txt'])
    await expectClean(worktree)
  })

  test.each([
    ['nowhere.txt', { code: 'FILE_NOT_FOUND', path: 'nowhere.txt' }],
    ['../a.txt', { code: 'BAD_PATH' }],
    ['.git/config', { code: 'PROTECTED_PATH' }],
    ['*', { code: 'FILE_NOT_FOUND' }],
  ])('%j is refused, and nothing is written', async (path, told) => {
    const worktree = await openEmpty()
    expect(await refusal(materialised(worktree, 'a.txt', path))).toMatchObject(told)
    expect(onDisk(worktree)).toEqual([])
  })
})

describe("what is somebody's already", () => {
  test('stays, and shows up as drift', async () => {
    const worktree = await openEmpty()
    await worktree.write('a.txt', 'by hand\n')
    await worktree.write('b/b.txt', 'b\n')
    expect(await materialised(worktree)).toEqual({ written: 6, kept: ['a.txt'], absent_files: 0 })
    expect(readFileSync(join(worktree.path, 'a.txt'), 'utf8')).toBe('by hand\n')
    expect(await worktree.git('status', '--porcelain')).toBe('M a.txt')
    expect(await worktree.text('a.txt')).toBe('by hand\n')
  })

  test('a link in the place of a directory is not followed', async () => {
    const worktree = await openEmpty()
    const elsewhere = await mkdtemp(join(tmpdir(), 'elsewhere-'))
    symlinkSync(elsewhere, join(worktree.path, 'b'))
    mkdirSync(join(worktree.path, 'a.txt'))
    const told = { written: 5, kept: ['a.txt', 'b/b.txt', 'b/c/d.txt'], absent_files: 3 }
    expect(await materialised(worktree)).toEqual(told)
    expect(readdirSync(elsewhere)).toEqual([])
    await rm(join(worktree.path, 'b'))
    await rm(join(worktree.path, 'a.txt'), { recursive: true })
    expect(await materialised(worktree)).toEqual({ written: 3, kept: [], absent_files: 0 })
    await expectFull(worktree)
  })
})

test('a missing object is told, and what came before it counts', async () => {
  const other = await makeRepository(files)
  const worktree = await (await openGateway(other, { secondReader: false })).open('x', {
    files: 'none',
  })
  const oid = await other.git('rev-parse', 'HEAD:b/c/d.txt')
  const object = join(other.path, '.git/objects', oid.slice(0, 2), oid.slice(2))
  await rename(object, `${object}.away`)
  expect(await refusal(materialised(worktree))).toMatchObject({ code: 'OBJECT_MISSING' })
  await rename(`${object}.away`, object)
  expect((await worktree.worktree.state()).dirty).toEqual([])
  await expectClean(worktree)
  await materialised(worktree)
  await expectFull(worktree)
})

test('a directory that cannot be written is told, and the rest goes on later', async () => {
  const worktree = await openEmpty()
  mkdirSync(join(worktree.path, 'b'))
  await chmod(join(worktree.path, 'b'), 0o555)
  const isRoot = process.geteuid?.() === 0
  const told = await materialised(worktree).catch((error: unknown) => error)
  if (!isRoot) expect(told).toMatchObject({ code: 'IO_FAULT' })
  await chmod(join(worktree.path, 'b'), 0o755)
  expect((await worktree.worktree.state()).dirty).toEqual([])
  await materialised(worktree)
  await expectFull(worktree)
})

test('while somebody writes files, everything can be read', async () => {
  const worktree = await openEmpty()
  const gitDir = await worktree.git('rev-parse', '--absolute-git-dir')
  const owner = openOwnerRecord(gitDir)
  const onDeadOwner = async (): Promise<void> => undefined
  const lock = await lockIndex(gitDir, owner, { waitMs: 0, onDeadOwner })
  writeFileSync(join(gitDir, 'editlatch/materialising'), '')
  await worktree.write('b/b.txt', 'b\n')
  expect([await worktree.text('a.txt'), await worktree.text('b/b.txt')]).toEqual(['a\n', 'b\n'])
  const { dirty, absent_files } = await worktree.worktree.state()
  expect([dirty, absent_files]).toEqual([[], 7])
  expect((await worktree.worktree.files({})).files).toHaveLength(8)
  expect(existsSync(join(gitDir, 'editlatch/materialising'))).toBe(true)
  lock.release()
  closeOwnerRecord(owner)
  await worktree.text('a.txt')
  expect(existsSync(join(gitDir, 'editlatch/materialising'))).toBe(false)
})

describe('cut off', () => {
  test('a file that is only begun goes, what is whole counts, what is somebody else’s stays', async () => {
    const worktree = await openEmpty()
    await worktree.write('b/b.txt', '')
    await worktree.write('eol.txt', 'one\r\ntw')
    await worktree.write('a.txt', 'a\n')
    await worktree.write('bb/x.txt', 'by hand\n')
    const gitDir = await worktree.git('rev-parse', '--absolute-git-dir')
    writeFileSync(join(gitDir, 'editlatch/materialising'), '')
    expect((await worktree.worktree.state()).dirty).toEqual([{ path: 'bb/x.txt', status: ' M' }])
    expect(onDisk(worktree)).toEqual(['a.txt', 'bb/x.txt'])
    expect(await worktree.git('status', '--porcelain')).toBe('M bb/x.txt')
    expect(readdirSync(join(gitDir, 'editlatch'))).not.toContain('materialising')
    await rm(join(worktree.path, 'bb/x.txt'))
    await worktree.git('checkout', '--quiet', '.')
    expect(await materialised(worktree)).toMatchObject({ written: 6, absent_files: 0 })
    await expectFull(worktree)
  })

  test.each([
    ['alone', 1],
    ['alone', 300],
    ['with its git', 1],
    ['with its git', 300],
  ])('killed %s when %i files are there, it is finished by asking again', async (who, count) => {
    const many = Object.fromEntries(
      Array.from({ length: 1_000 }, (_, n) => [`d${n % 10}/f${n}.txt`, `${n}\n`.repeat(3_000)]),
    )
    const other = await makeRepository(many)
    const place = await mkdtemp(join(tmpdir(), 'killed-'))
    const places = { stateDir: join(place, 'state'), worktreesDir: join(place, 'worktrees') }
    const first = await openGateway(other, { ...places, secondReader: false })
    const { path } = await first.open('x', { files: 'none' })
    await first.close()
    const child = startMaterialising({ ...places, repositories: [other.path] })
    const ended = new Promise(resolve => child.once('exit', resolve))
    while (onDisk({ path }).length < count && child.exitCode === null) await sleep(1)
    const gits = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').split(' ')
    child.kill('SIGKILL')
    if (who !== 'alone') for (const git of gits.map(Number).filter(Boolean)) kill(git, 'SIGKILL')
    await ended
    const { open } = await openGateway(other, { ...places, secondReader: false })
    const worktree = await open('x')
    const { dirty, absent_files } = await worktree.worktree.state()
    expect(dirty).toEqual([])
    if (who !== 'alone') expect(absent_files).toBeGreaterThan(0)
    await expectClean(worktree)
    expect(await materialised(worktree)).toMatchObject({ kept: [], absent_files: 0 })
    await expectFull(worktree)
  })
})

function startMaterialising(places: object): ChildProcess {
  const script = fileURLToPath(new URL('../support/crash/materialise-child.mjs', import.meta.url))
  const options = {
    ...places,
    agent: 'x',
    branchPrefix: 'agent',
    durability: 'process',
    allowProtected: [],
    trustConfig: false,
    secret: 'a secret of the test',
  }
  return spawn(process.execPath, [script, JSON.stringify(options)], { stdio: 'inherit' })
}
