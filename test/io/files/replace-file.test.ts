import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { removeFile } from '#src/io/files/remove-file.js'
import { replaceFile } from '#src/io/files/replace-file.js'
import { ensureNoTempFiles, ensureNoTempFilesBeside } from '#src/io/files/temp-files.js'
import {
  bytes,
  codeOf,
  listing,
  makeDirectory,
  makeWorld,
  otherDevice,
  repoPath,
  run,
  type World,
} from './world.js'

const foreign = { kept: 'foreign' }

interface Wish {
  readonly text: string
  readonly old?: string
  readonly executable?: boolean
  readonly durable?: boolean
}

function replace({ root, tempDir }: World, path: string, wish: Wish): unknown {
  return replaceFile(root, repoPath(path), {
    bytes: bytes(wish.text),
    executable: wish.executable ?? false,
    expected: wish.old === undefined ? 'absent' : { bytes: bytes(wish.old) },
    tempDir,
    durable: wish.durable ?? false,
  })
}

function remove({ root, tempDir }: World, path: string, old: string): unknown {
  return removeFile(root, repoPath(path), { expected: { bytes: bytes(old) }, tempDir })
}

/** A world with these files. */
function worldOf(files: Readonly<Record<string, string>>): World {
  const world = makeWorld()
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(world.root, path, '..'), { recursive: true })
    writeFileSync(join(world.root, path), text)
  }
  return world
}

describe('a replaced file', () => {
  test.each<[string, Readonly<Record<string, string>>, string, Wish, Record<string, string>]>([
    ['gets new bytes', { a: 'old' }, 'a', { text: 'new', old: 'old' }, { a: 'new' }],
    ['may be empty', { a: 'old' }, 'a', { text: '', old: 'old' }, { a: '' }],
    ['may have been empty', { a: '' }, 'a', { text: 'new', old: '' }, { a: 'new' }],
    ['may stay as it is', { a: 'old' }, 'a', { text: 'old', old: 'old' }, { a: 'old' }],
    ['is made', {}, 'a', { text: 'new' }, { a: 'new' }],
    ['is made durable', {}, 'a', { text: 'new', durable: true }, { a: 'new' }],
    [
      'is made with its directories',
      {},
      'b/c/d',
      { text: 'new' },
      { 'b/': '', 'b/c/': '', 'b/c/d': 'new' },
    ],
    [
      'lies deep',
      { 'b/c/d': 'old' },
      'b/c/d',
      { text: 'new', old: 'old' },
      { 'b/': '', 'b/c/': '', 'b/c/d': 'new' },
    ],
    [
      'may have a name of 255 bytes',
      {},
      'ü'.repeat(127),
      { text: 'new' },
      { ['ü'.repeat(127)]: 'new' },
    ],
  ])('%s', (_, files, path, wish, after) => {
    const world = worldOf(files)
    const answer = replace(world, path, wish)
    expect(listing(world.root)).toEqual(after)
    expect(readdirSync(world.tempDir)).toEqual([])
    const stat = lstatSync(join(world.root, path), { bigint: true })
    const { ino, size, mtimeNs, ctimeNs, mode, dev } = stat
    expect(answer).toMatchObject({ stat: { ino, size, mtimeNs, ctimeNs, mode, dev } })
  })

  test.each([
    [0o022, false, 0o644],
    [0o022, true, 0o755],
    [0o077, false, 0o600],
    [0o002, true, 0o775],
    [0o000, false, 0o666],
  ])('with umask %o and executable %s has mode %o', (umask, executable, mode) => {
    const world = worldOf({ old: 'old' })
    chmodSync(join(world.root, 'old'), 0o711)
    const before = process.umask(umask)
    try {
      replace(world, 'old', { text: 'new', old: 'old', executable })
      replace(world, 'dir/new', { text: 'new', executable })
    } finally {
      process.umask(before)
    }
    const modeOf = (path: string): number => statSync(join(world.root, path)).mode & 0o777
    expect([modeOf('old'), modeOf('dir/new')]).toEqual([mode, mode])
    expect(modeOf('dir')).toBe(0o777 & ~umask)
  })

  test('leaves other hard links of the old one alone', () => {
    const world = worldOf({ a: 'old' })
    linkSync(join(world.root, 'a'), join(world.outside, 'a'))
    replace(world, 'a', { text: 'new', old: 'old' })
    expect(readFileSync(join(world.outside, 'a'), 'utf8')).toBe('old')
  })

  test.each(['dir', 'dir/in/dir', 'dir/one', 'dir/two'])(
    'takes the place of an empty directory: %s',
    nested => {
      const world = makeWorld()
      mkdirSync(join(world.root, nested), { recursive: true })
      expect(replace(world, 'dir', { text: 'new' })).toHaveProperty('stat')
      expect(listing(world.root)).toEqual({ dir: 'new' })
    },
  )

  test('may have a temporary directory that is not there yet', () => {
    const world = worldOf({ a: 'old' })
    rmSync(world.tempDir, { recursive: true })
    expect(replace(world, 'a', { text: 'new', old: 'old' })).toHaveProperty('stat')
  })
})

describe('what is not as expected stays as it is', () => {
  test.each<[string, Readonly<Record<string, string>>, string, Wish]>([
    ['other bytes', { a: 'mine' }, 'a', { text: 'new', old: 'old' }],
    ['more bytes', { a: 'old and more' }, 'a', { text: 'new', old: 'old' }],
    ['fewer bytes', { a: 'ol' }, 'a', { text: 'new', old: 'old' }],
    ['nothing', {}, 'a', { text: 'new', old: 'old' }],
    ['nothing, nor its directory', {}, 'b/a', { text: 'new', old: 'old' }],
    ['a file where none should be', { a: 'mine' }, 'a', { text: 'new' }],
    ['an empty file where none should be', { a: '' }, 'a', { text: 'new' }],
    ['a directory with a file', { 'a/b': 'mine' }, 'a', { text: 'new' }],
    ['a directory with a file in a directory', { 'a/b/c': 'mine' }, 'a', { text: 'new' }],
    ['a directory where a file should be', { 'a/b': 'mine' }, 'a', { text: 'new', old: 'old' }],
  ])('%s', (_, files, path, wish) => {
    const world = worldOf(files)
    const before = listing(world.root)
    expect(replace(world, path, wish)).toEqual(foreign)
    expect(listing(world.root)).toEqual(before)
    expect(readdirSync(world.tempDir)).toEqual([])
  })

  test('not even its change time', () => {
    const world = worldOf({ a: 'mine' })
    const before = lstatSync(join(world.root, 'a'), { bigint: true }).ctimeNs
    replace(world, 'a', { text: 'new', old: 'old' })
    expect(lstatSync(join(world.root, 'a'), { bigint: true }).ctimeNs).toBe(before)
  })
})

describe('what is no file is refused', () => {
  const acts: Record<string, (world: World, path: string) => unknown> = {
    create: (world, path) => replace(world, path, { text: 'new' }),
    replace: (world, path) => replace(world, path, { text: 'new', old: 'secret' }),
    remove: (world, path) => remove(world, path, 'secret'),
  }
  const cases = Object.keys(acts).flatMap(act =>
    [
      ['link-abs', 'SYMLINK'],
      ['link-rel', 'SYMLINK'],
      ['link-dir', 'SYMLINK'],
      ['link-dir/secret', 'SYMLINK'],
      ['link-dir/new', 'SYMLINK'],
      ['link-dir/new/new', 'SYMLINK'],
      ['link-chain', 'SYMLINK'],
      ['link-loop', 'SYMLINK'],
      ['link-loop/new', 'SYMLINK'],
      ['link-dangling', 'SYMLINK'],
      ['link-dangling/new', 'SYMLINK'],
      ['link-dotgit/secret', 'SYMLINK'],
      ['link-dotgit/new', 'SYMLINK'],
      ['fifo', 'NOT_REGULAR'],
      ['fifo/new', 'NOT_REGULAR'],
      ['file/new', 'NOT_REGULAR'],
    ].map(([path = '', code]) => [act, path, code] as const),
  )

  test.each(cases)('%s %s: %s', (act, path, code) => {
    const world = worldOf({ file: 'secret', '.git/secret': 'secret' })
    const { root, outside, tempDir } = world
    writeFileSync(join(outside, 'secret'), 'secret')
    const links = {
      'link-abs': join(outside, 'secret'),
      'link-rel': '../wt-evil/secret',
      'link-dir': '../wt-evil',
      'link-chain': 'link-rel',
      'link-loop': 'link-loop',
      'link-dangling': '../wt-evil/new',
      'link-dotgit': '.git',
    }
    for (const [name, target] of Object.entries(links)) symlinkSync(target, join(root, name))
    run('mkfifo', join(root, 'fifo'))
    const before = listing(join(root, '..'))
    expect(codeOf(() => acts[act]?.(world, path))).toBe(code)
    expect(listing(join(root, '..'))).toEqual(before)
    expect(readdirSync(tempDir)).toEqual([])
  })
})

describe('a removed file', () => {
  test.each<[string, Readonly<Record<string, string>>, string, Record<string, string>]>([
    ['is gone', { a: 'old', b: 'other' }, 'a', { b: 'other' }],
    ['takes empty directories with it', { 'b/c/d': 'old' }, 'b/c/d', {}],
    [
      'leaves directories that hold more',
      { 'b/c/d': 'old', 'b/e': '' },
      'b/c/d',
      { 'b/': '', 'b/e': '' },
    ],
    ['may be gone already', { b: '' }, 'a', { b: '' }],
    ['may be gone with its directory', { b: '' }, 'c/a', { b: '' }],
  ])('%s', (_, files, path, after) => {
    const world = worldOf(files)
    expect(remove(world, path, 'old')).toEqual({ removed: true })
    expect(listing(world.root)).toEqual(after)
    expect(readdirSync(world.tempDir)).toEqual([])
  })

  test.each<[string, Readonly<Record<string, string>>, string]>([
    ['other bytes', { a: 'mine' }, 'a'],
    ['more bytes', { 'd/a': 'old!' }, 'd/a'],
    ['a directory', { 'a/b': 'old' }, 'a'],
  ])('is kept where it is not as expected: %s', (_, files, path) => {
    const world = worldOf(files)
    const before = listing(world.root)
    expect(remove(world, path, 'old')).toEqual(foreign)
    expect(listing(world.root)).toEqual(before)
    expect(readdirSync(world.tempDir)).toEqual([])
  })

  test('leaves the root and links beside it', () => {
    const world = worldOf({ 'd/a': 'old' })
    symlinkSync(world.outside, join(world.root, 'd/link'))
    expect(remove(world, 'd/a', 'old')).toEqual({ removed: true })
    expect(listing(world.root)).toEqual({ 'd/': '', 'd/link@': '' })
    rmSync(join(world.root, 'd'), { recursive: true })
    writeFileSync(join(world.root, 'a'), 'old')
    remove(world, 'a', 'old')
    expect(existsSync(world.root)).toBe(true)
  })
})

describe('a file system of its own for private files', () => {
  const place = otherDevice()

  test.skipIf(place === undefined)('leaves nothing beside the target', () => {
    const world = { ...worldOf({ a: 'old', 'd/b': 'old' }), tempDir: makeDirectory(place) }
    expect(replace(world, 'a', { text: 'new', old: 'old' })).toHaveProperty('stat')
    expect(replace(world, 'n'.repeat(255), { text: 'new' })).toHaveProperty('stat')
    expect(replace(world, 'a', { text: 'newer', old: 'old' })).toEqual(foreign)
    expect(remove(world, 'd/b', 'old')).toEqual({ removed: true })
    expect(listing(world.root)).toEqual({ a: 'new', ['n'.repeat(255)]: 'new' })
    expect(readdirSync(world.tempDir)).toEqual([])
  })
})

describe('a mount of its own for private files, on the same device', () => {
  const tempDir = makeDirectory()
  const isMounted = mount('--bind', tempDir, tempDir)
  afterAll(() => {
    if (isMounted) run('umount', tempDir)
  })

  test.skipIf(!isMounted)('cannot be linked across, so they lie beside the target', () => {
    const world = { ...worldOf({ a: 'old', 'd/b': 'old' }), tempDir }
    expect(statSync(tempDir).dev).toBe(statSync(world.root).dev)
    expect(replace(world, 'a', { text: 'new', old: 'old' })).toHaveProperty('stat')
    expect(replace(world, 'e/f', { text: 'new' })).toHaveProperty('stat')
    expect(replace(world, 'a', { text: 'newer', old: 'old' })).toEqual(foreign)
    expect(remove(world, 'd/b', 'old')).toEqual({ removed: true })
    expect(listing(world.root)).toEqual({ a: 'new', 'e/': '', 'e/f': 'new' })
    expect(readdirSync(tempDir)).toEqual([])
  })
})

describe('what a killed process left', () => {
  const left = 'editlatch-0123456789abcdef'

  test('is removed from the temporary directory, and nothing else', () => {
    const { tempDir } = makeWorld()
    for (const name of [left, 'owner-1-0123456789abcdef', 'intent', `${left}0`]) {
      writeFileSync(join(tempDir, name), '')
    }
    ensureNoTempFiles(tempDir)
    expect(readdirSync(tempDir).sort()).toEqual([`${left}0`, 'intent', 'owner-1-0123456789abcdef'])
    ensureNoTempFiles(join(tempDir, 'missing'))
  })

  test('is removed from beside a file, and nothing else', () => {
    const { root } = worldOf({
      'd/a': '',
      [`d/.a.${left}`]: '',
      'd/.a.editlatch': '',
      'd/.hidden': '',
    })
    ensureNoTempFilesBeside(root, repoPath('d/a'))
    expect(Object.keys(listing(root)).sort()).toEqual(['d/', 'd/.a.editlatch', 'd/.hidden', 'd/a'])
    ensureNoTempFilesBeside(root, repoPath('missing/a'))
  })
})

describe('a full disk', () => {
  const place = makeDirectory()
  const isMounted = mount('-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', place)
  afterAll(() => {
    if (isMounted) run('umount', place)
  })

  test.skipIf(!isMounted)('is refused, leaves all as it was, and heals', () => {
    const world = { root: join(place, 'wt'), outside: place, tempDir: join(place, 'tmp') }
    mkdirSync(world.root)
    mkdirSync(world.tempDir)
    writeFileSync(join(world.root, 'a'), 'old')
    const text = 'x'.repeat(2_000_000)
    expect(codeOf(() => replace(world, 'a', { text, old: 'old' }))).toBe('DISK_FULL')
    expect(codeOf(() => replace(world, 'b/c/d', { text }))).toBe('DISK_FULL')
    expect(listing(world.root)).toEqual({ a: 'old' })
    expect(readdirSync(world.tempDir)).toEqual([])
    expect(replace(world, 'a', { text: 'new', old: 'old' })).toHaveProperty('stat')
  })

  test.skipIf(!isMounted)('that became read-only is a fault', () => {
    const world = { root: place, outside: place, tempDir: place }
    writeFileSync(join(place, 'z'), 'old')
    run('mount', '-o', 'remount,ro', place)
    expect(codeOf(() => replace(world, 'z', { text: 'new', old: 'old' }))).toBe('IO_FAULT')
    expect(codeOf(() => remove(world, 'z', 'old'))).toBe('IO_FAULT')
  })
})

/** False where mounting is not allowed; the test is skipped then. */
function mount(...args: readonly string[]): boolean {
  try {
    run('mount', ...args)
    return true
  } catch {
    return false
  }
}
