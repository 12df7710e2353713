import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import {
  closeOwnerRecord,
  findDeadOwners,
  isAlive,
  listOwners,
  openOwnerRecord,
  readOwner,
} from '#src/io/git/owner-record.js'
import { run } from '../files/world.js'

const world = mkdtempSync(join(tmpdir(), 'owner-'))
afterAll(() => rmSync(world, { recursive: true, force: true }))
const makeGitDir = (): string => mkdtempSync(join(world, 'git-'))

test('a record says who works there until it is closed', () => {
  const gitDir = makeGitDir()
  const owner = openOwnerRecord(gitDir)
  expect(readdirSync(join(gitDir, 'editlatch'))).toEqual([`owner-${process.pid}-${owner.nonce}`])
  const { restore: _, ...stored } = owner
  expect(listOwners(gitDir)).toEqual([stored])
  expect(isAlive(owner)).toBe(true)
  expect(findDeadOwners(gitDir)).toEqual([])
  closeOwnerRecord(owner)
  expect(listOwners(gitDir)).toEqual([])
})

test('a git directory without records has no owners', () => {
  expect(listOwners(makeGitDir())).toEqual([])
})

test('a link in the place of our directory is not followed', () => {
  const gitDir = makeGitDir()
  const elsewhere = makeGitDir()
  symlinkSync(elsewhere, join(gitDir, 'editlatch'))
  expect(() => openOwnerRecord(gitDir)).toThrow('EEXIST')
  expect(readdirSync(elsewhere)).toEqual([])
})

describe('alive', () => {
  const us = openOwnerRecord(makeGitDir())
  test.each([
    ['we', {}, true],
    ['a pid that nobody has', { pid: 4_194_305 }, false],
    ['our pid, taken over from an older process', { start: '1' }, false],
    ['before the last boot', { boot: '0' }, false],
    ['before the last boot, in another container', { boot: '0', namespace: 'pid:[1]' }, false],
    ['in another container', { pid: 4_194_305, namespace: 'pid:[1]' }, true],
    ['on another machine', { boot: '0', machine: '1' }, true],
    ['a process whose start is not known', { start: '' }, true],
  ])('%s: %j %s', (_, change, expected) => {
    expect(isAlive({ ...us, ...change })).toBe(expected)
  })

  test('not a zombie', async () => {
    const parent = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60'])
    const [output] = await once(parent.stdout, 'data')
    const pid = Number(String(output))
    const until = async (id: number, state: RegExp): Promise<void> => {
      while (!state.test(readFileSync(`/proc/${id}/stat`, 'utf8')))
        await new Promise(resolve => setTimeout(resolve, 5))
    }
    // A shell would take note of its child's end; what it has become by then does not.
    await until(parent.pid ?? 0, /\(sleep\)/)
    process.kill(pid, 'SIGKILL')
    await until(pid, /\) Z /)
    expect(isAlive({ ...us, pid, start: 'ended' })).toBe(true)
    expect(isAlive({ ...us, pid, start: '12345' })).toBe(false)
    parent.kill('SIGKILL')
  })
})

describe('what is no record is no owner', () => {
  const good = JSON.stringify({
    pid: 1,
    start: '',
    boot: '',
    machine: '',
    namespace: '',
    nonce: 'a',
  })
  test.each([
    ['an empty file', ''],
    ['a torn file', good.slice(0, 20)],
    ['other JSON', '{"pid":1}'],
    ['a bad nonce', good],
    ['a huge file', good.padEnd(2_000)],
  ])('%s', (_, text) => {
    const path = join(world, 'record')
    writeFileSync(path, text)
    expect(readOwner(path)).toBeUndefined()
  })

  test('a FIFO, a link, a directory, nothing', () => {
    const directory = join(makeGitDir(), 'editlatch')
    mkdirSync(directory)
    const name = (digit: string): string => join(directory, `owner-1-${digit.repeat(16)}`)
    run('mkfifo', name('a'))
    symlinkSync('/etc/passwd', name('b'))
    mkdirSync(name('c'))
    expect(lstatSync(name('a')).isFIFO()).toBe(true)
    expect(listOwners(join(directory, '..'))).toEqual([])
    expect(readOwner(name('d'))).toBeUndefined()
  })
})
