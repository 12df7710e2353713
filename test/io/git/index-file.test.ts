import { createHash } from 'node:crypto'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findEntry, type IndexCache, readIndex } from '#src/io/git/index-file.js'
import { makeRepository, type TestRepository } from '../../support/repository.js'
import { indexPath } from './index-world.js'

const blob = (text: string, format: 'sha1' | 'sha256'): string =>
  createHash(format).update(`blob ${text.length}\0${text}`).digest('hex')

describe.each(['sha1', 'sha256'] as const)('in a repository of %s', objectFormat => {
  test('every entry is found as git lists it, whatever its name', async () => {
    const repository = await makeRepository(oddFiles, { objectFormat })
    await addEntries(repository, objectFormat)
    const layout = readIndex(indexPath(repository))
    expect(layout.format).toBe(objectFormat)
    const listed = await listEntries(repository)
    expect(listed.length).toBeGreaterThan(25)
    for (const { name, mode, oid, stage } of listed) {
      expect(findEntry(layout, name)).toMatchObject({ mode, oid, stage })
    }
    for (const { name } of listed) {
      expect(findEntry(layout, Buffer.concat([name, Buffer.from('!')]))).toBeUndefined()
      expect(findEntry(layout, name.subarray(0, -1))?.oid).toBe(
        listed.find(other => other.name.equals(name.subarray(0, -1)))?.oid,
      )
    }
  })
})

test('flags and stat data are those that git prints', async () => {
  const repository = await makeRepository({ a: 'a', b: 'b', c: 'c' })
  await repository.git('update-index', '--assume-unchanged', 'a')
  await repository.git('update-index', '--skip-worktree', 'b')
  await repository.write('new', 'n')
  await repository.git('add', '-N', 'new')
  const layout = readIndex(indexPath(repository))
  expect(layout.version).toBe(3)
  const flags = (path: string): boolean[] => {
    const entry = findEntry(layout, path)
    return [entry?.assumeValid, entry?.skipWorktree, entry?.intentToAdd].map(Boolean)
  }
  expect(['a', 'b', 'c', 'new'].map(flags)).toEqual([
    [true, false, false],
    [false, true, false],
    [false, false, false],
    [false, false, true],
  ])
  const debug = await repository.git('ls-files', '--debug', 'c')
  const stat = findEntry(layout, 'c')?.stat
  expect(debug).toContain(`ctime: ${stat?.ctimeSeconds}:${stat?.ctimeNanoseconds}`)
  expect(debug).toContain(`mtime: ${stat?.mtimeSeconds}:${stat?.mtimeNanoseconds}`)
  expect(debug).toContain(`dev: ${stat?.dev}\tino: ${stat?.ino}`)
  expect(debug).toContain(`uid: ${stat?.uid}\tgid: ${stat?.gid}`)
  expect(debug).toContain(`size: ${stat?.size}`)
})

test('of a conflict the first stage is answered', async () => {
  const repository = await makeRepository({ file: 'base', other: 'o' })
  await conflict(repository)
  const layout = readIndex(indexPath(repository))
  expect(layout.hasUnmerged).toBe(true)
  expect(findEntry(layout, 'file')).toMatchObject({ stage: 1, oid: blob('base', 'sha1') })
  expect(findEntry(layout, 'other')?.stage).toBe(0)
})

test.each<[string, (repository: TestRepository) => Promise<unknown>, object]>([
  ['a plain one', async () => undefined, { version: 2, patchable: true, searchable: true }],
  [
    'version 4',
    ({ git }) => git('update-index', '--index-version=4'),
    { version: 4, patchable: false, searchable: false, why: 'version_4', hasUnmerged: false },
  ],
  [
    'version 4 in conflict',
    async repository => {
      await conflict(repository)
      await repository.git('update-index', '--index-version=4')
    },
    { version: 4, hasUnmerged: true },
  ],
  [
    'a split index',
    ({ git }) => git('update-index', '--split-index'),
    { patchable: false, searchable: false, why: 'split' },
  ],
  [
    'a sparse index',
    async ({ git }) => {
      await git('sparse-checkout', 'set', '--cone', '--sparse-index', 'dir')
    },
    { patchable: false, searchable: false, why: 'sparse' },
  ],
  [
    'a file system monitor',
    async ({ git }) => {
      await git('config', 'core.fsmonitor', '/bin/true')
      await git('update-index', '--fsmonitor')
    },
    { patchable: false, searchable: true, why: 'fsmonitor' },
  ],
  [
    'an untracked cache',
    ({ git }) => git('update-index', '--force-untracked-cache'),
    { patchable: true, searchable: true, why: undefined },
  ],
  [
    'an extension that must be understood',
    async repository => addExtension(repository, 'zzzz'),
    { patchable: false, searchable: true, why: 'unknown_extension' },
  ],
  [
    'an extension that may be ignored',
    async repository => addExtension(repository, 'Zzzz'),
    { patchable: true, searchable: true },
  ],
])('%s is told apart', async (_, prepare, expected) => {
  const repository = await makeRepository({ file: 'base', other: 'o', 'dir/a': 'a', 'far/b': 'b' })
  await prepare(repository)
  expect(readIndex(indexPath(repository))).toMatchObject(expected)
})

test('no index is an empty layout', async () => {
  const repository = await makeRepository({})
  const layout = readIndex(join(repository.path, '.git/no-index'))
  expect(layout).toMatchObject({ version: 0, patchable: false, why: 'missing', hasUnmerged: false })
  expect(findEntry(layout, 'a')).toBeUndefined()
})

test('an empty index is read', async () => {
  const repository = await makeRepository({ a: 'a' })
  await repository.git('rm', '-q', 'a')
  expect(findEntry(readIndex(indexPath(repository)), 'a')).toBeUndefined()
})

test.each<[string, (bytes: Buffer) => Buffer]>([
  ['a cut-off file', bytes => bytes.subarray(0, -1)],
  ['a file cut off in the middle', bytes => bytes.subarray(0, bytes.length / 2)],
  ['an empty file', bytes => bytes.subarray(0, 0)],
  ['another file', bytes => Buffer.from(`hello${bytes.toString('hex')}`)],
  ['a flipped bit', bytes => Buffer.from(bytes.map((byte, at) => (at === 99 ? byte ^ 1 : byte)))],
  ['a lying count', bytes => resealed(bytes, copy => copy.writeUInt32BE(1e9, 8))],
  ['one entry too many', bytes => resealed(bytes, copy => copy.writeUInt32BE(4, 8))],
  ['version 5', bytes => resealed(bytes, copy => copy.writeUInt32BE(5, 4))],
])('%s is an error', async (_, damage) => {
  const repository = await makeRepository({ a: 'a', b: 'b', 'c/d': 'd' })
  const path = indexPath(repository)
  writeFileSync(path, damage(readFileSync(path)))
  expect(() => readIndex(path)).toThrow(Error)
})

describe('the cache', () => {
  test('knows a file until git writes it again', async () => {
    const repository = await makeRepository({ a: 'a', b: 'b' })
    const cache: IndexCache = new Map()
    const first = readIndex(indexPath(repository), cache)
    expect(readIndex(indexPath(repository), cache)).toBe(first)
    await repository.write('a', 'changed')
    await repository.git('add', 'a')
    const second = readIndex(indexPath(repository), cache)
    expect(second).not.toBe(first)
    expect(findEntry(second, 'a')?.oid).toBe(blob('changed', 'sha1'))
  })

  test('is not fooled by a copy in the same place', async () => {
    const repository = await makeRepository({ a: 'a' })
    const path = indexPath(repository)
    const layout = readIndex(path)
    copyFileSync(path, `${path}-copy`)
    await repository.git('mv', 'a', 'b')
    expect(() => findEntry(layout, 'a')).toThrow('the index has changed')
  })
})

const oddFiles = {
  a: '1',
  'a-b': '2',
  'a.b': '3',
  a0: '4',
  'd/a': '5',
  'd-a': '6',
  'd.a': '7',
  'd/a.b/c': '8',
  'e/f/g/h/i': '10',
  'tab\there': '11',
  'new\nline': '12',
  'quote"\'here': '13',
  'trailing space ': '14',
  '-x': '15',
  ':(top)x': '16',
  '\u00e9': '17',
  'e\u0301': '18',
  '日本/語': '19',
  '👍': '20',
  script: { text: '21', mode: '755' },
  link: { symlink: 'a' },
} as const

/** Names that no file system would hold, or that no string can: very long ones and bytes. */
async function addEntries(repository: TestRepository, format: 'sha1' | 'sha256'): Promise<void> {
  const oid = await repository.git('rev-parse', 'HEAD:a')
  const entry = (name: Uint8Array): Buffer =>
    Buffer.concat([Buffer.from(`100644 ${oid}\t`), name, Buffer.of(0)])
  const names = [
    Buffer.from(`long/${'x'.repeat(4089)}`),
    Buffer.from(`long/${'x'.repeat(4090)}`),
    Buffer.from(`long/${'x'.repeat(4091)}`),
    Buffer.from(`long/${'x'.repeat(9000)}`),
    Buffer.from('latin\xe9', 'latin1'),
    Buffer.from('\xff\xfe/z', 'latin1'),
  ]
  expect(oid).toBe(blob('1', format))
  await repository.gitRaw(['update-index', '-z', '--index-info'], {
    input: Buffer.concat(names.map(entry)),
  })
}

interface Listed {
  readonly name: Buffer
  readonly mode: string
  readonly oid: string
  readonly stage: number
}

async function listEntries(repository: TestRepository): Promise<readonly Listed[]> {
  const output = Buffer.from(await repository.gitRaw(['ls-files', '--stage', '-z']))
  return output
    .toString('latin1')
    .split('\0')
    .flatMap(line => {
      const match = /^(\d+) ([0-9a-f]+) (\d)\t(.*)$/s.exec(line)
      const [, mode = '', oid = '', stage = '', name = ''] = match ?? []
      return match ? [{ name: Buffer.from(name, 'latin1'), mode, oid, stage: Number(stage) }] : []
    })
}

async function conflict(repository: TestRepository): Promise<void> {
  await repository.git('switch', '-q', '-c', 'side')
  await repository.write('file', 'side')
  await repository.commit('side')
  await repository.git('switch', '-q', 'main')
  await repository.write('file', 'main')
  await repository.commit('main')
  await repository.git('merge', '-q', 'side').catch(() => undefined)
}

async function addExtension(repository: TestRepository, signature: string): Promise<void> {
  const path = indexPath(repository)
  const bytes = readFileSync(path)
  const extension = Buffer.concat([
    Buffer.from(signature),
    Buffer.of(0, 0, 0, 2),
    Buffer.from('hi'),
  ])
  const longer = Buffer.concat([bytes.subarray(0, -20), extension, bytes.subarray(-20)])
  writeFileSync(
    path,
    resealed(longer, () => undefined),
  )
}

function resealed(bytes: Buffer, change: (copy: Buffer) => void): Buffer {
  const copy = Buffer.from(bytes)
  change(copy)
  createHash('sha1')
    .update(copy.subarray(0, -20))
    .digest()
    .copy(copy, copy.length - 20)
  return copy
}
