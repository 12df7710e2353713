import { chmodSync, lstatSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lstatSafely, readFileSafely } from '#src/io/files/read-file.js'
import { bytes, codeOf, makeWorld, repoPath, run, type World } from './world.js'

/** A worktree with every kind of thing that is not simply a file. */
async function makeHostile(): Promise<World> {
  const world = makeWorld()
  const { root, outside } = world
  const at = (path: string): string => join(root, path)
  for (const path of ['dir', '.git', 'deep', 'deep/er']) mkdirSync(at(path))
  for (const path of ['file', 'dir/file', '.git/config']) writeFileSync(at(path), path)
  writeFileSync(join(outside, 'secret'), 'secret')
  const links = {
    'link-abs': join(outside, 'secret'),
    'link-rel': '../wt-evil/secret',
    'link-inside': 'file',
    'link-dir': outside,
    'link-evil': '../wt-evil',
    'link-chain': 'link-rel',
    'link-loop': 'link-loop',
    'link-dangling': 'nowhere',
    'link-dotgit': '.git',
    'link-up': '..',
    'link-proc': '/proc/self',
    'deep/er/link': '../../dir',
  }
  for (const [path, target] of Object.entries(links)) symlinkSync(target, at(path))
  run('mkfifo', at('fifo'))
  const server = createServer().listen(at('socket'))
  await new Promise(resolve => server.once('listening', resolve))
  // Closing would take the socket away.
  server.unref()
  return world
}

test.each([
  ['file', 'file'],
  ['dir/file', 'dir/file'],
  ['missing', undefined],
  ['missing/file', undefined],
  ['dir/missing/file', undefined],
])('%s holds %s', async (path, text) => {
  const { root } = await makeHostile()
  const found = readFileSafely(root, repoPath(path), 100)
  expect(found?.bytes.toString()).toBe(text)
  if (found)
    expect(found.stat).toMatchObject({ ino: lstatSync(join(root, path), { bigint: true }).ino })
})

test.each([
  ['link-abs', 'SYMLINK'],
  ['link-rel', 'SYMLINK'],
  ['link-inside', 'SYMLINK'],
  ['link-dir', 'SYMLINK'],
  ['link-dir/secret', 'SYMLINK'],
  ['link-evil/secret', 'SYMLINK'],
  ['link-chain', 'SYMLINK'],
  ['link-loop', 'SYMLINK'],
  ['link-loop/x', 'SYMLINK'],
  ['link-dangling', 'SYMLINK'],
  ['link-dangling/x', 'SYMLINK'],
  ['link-dotgit/config', 'SYMLINK'],
  ['link-up/wt-evil/secret', 'SYMLINK'],
  ['link-proc/environ', 'SYMLINK'],
  ['deep/er/link/file', 'SYMLINK'],
  ['fifo', 'NOT_REGULAR'],
  ['fifo/x', 'NOT_REGULAR'],
  ['socket', 'NOT_REGULAR'],
  ['dir', 'NOT_REGULAR'],
  ['file/x', 'NOT_REGULAR'],
])('PATH-3, PATH-7: %s is refused with %s', async (path, code) => {
  const { root } = await makeHostile()
  expect(codeOf(() => readFileSafely(root, repoPath(path), 100))).toBe(code)
})

test.each([
  ['file', 'file'],
  ['dir', 'directory'],
  ['link-dir', 'link'],
  ['fifo', 'fifo'],
  ['missing/x', 'nothing'],
  ['link-dir/secret', 'SYMLINK'],
  ['file/x', 'NOT_REGULAR'],
])('lstat of %s sees %s', async (path, kind) => {
  const { root } = await makeHostile()
  const look = (): string => {
    const stat = lstatSafely(root, repoPath(path))
    if (stat === undefined) return 'nothing'
    if (stat.isSymbolicLink()) return 'link'
    if (stat.isDirectory()) return 'directory'
    return stat.isFIFO() ? 'fifo' : 'file'
  }
  const refused = codeOf(() => look())
  expect(refused ?? look()).toBe(kind)
})

test.each([
  [0, 0, undefined],
  [10, 10, undefined],
  [11, 10, 'TOO_LARGE'],
  [100_000, 10, 'TOO_LARGE'],
  [100_000, 100_000, undefined],
])('a file of %d bytes with a limit of %d: %s', (size, limit, code) => {
  const { root } = makeWorld()
  writeFileSync(join(root, 'file'), Buffer.alloc(size, 'x'))
  const read = () => readFileSafely(root, repoPath('file'), limit)
  expect(codeOf(read)).toBe(code)
  if (code === undefined) expect(read()?.bytes).toEqual(Buffer.alloc(size, 'x'))
})

test('a file whose stated size is 0 is read to its end', () => {
  const found = readFileSafely('/proc/self', repoPath('status'), 100_000)
  expect(found?.bytes.toString()).toContain('Name:')
})

test('the root itself may be a link', () => {
  const { root, outside } = makeWorld()
  writeFileSync(join(root, 'file'), bytes('text'))
  symlinkSync(root, join(outside, 'root'))
  expect(readFileSafely(join(outside, 'root'), repoPath('file'), 9)?.bytes.toString()).toBe('text')
})

test.skipIf(process.getuid?.() === 0)('what may not be read is a fault', () => {
  const { root } = makeWorld()
  writeFileSync(join(root, 'file'), 'x')
  chmodSync(join(root, 'file'), 0)
  expect(codeOf(() => readFileSafely(root, repoPath('file'), 9))).toBe('IO_FAULT')
})
