import { chmodSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ObjectFormat } from '#src/core/oid.js'
import type { NewObject } from '#src/io/git/edit-tree.js'
import { hashObject } from '#src/io/git/hash-object.js'
import { isLoose, type ObjectsPlace, syncRef, writeObjects } from '#src/io/git/object-writer.js'
import { parseSharing, type Sharing } from '#src/io/git/shared-mode.js'
import { seededRandom } from '../../support/random.js'
import { makeRepository, type TestRepository } from '../../support/repository.js'

const objectsPlace = (repository: TestRepository, sharing?: Sharing): ObjectsPlace => ({
  objectsDir: objectsDir(repository),
  sharing,
})

const objectsDir = ({ path }: TestRepository): string => join(path, '.git/objects')

function blob(text: string | Uint8Array, format: ObjectFormat = 'sha1'): NewObject {
  const body = Buffer.from(text)
  return { oid: hashObject(format, 'blob', body), type: 'blob', body }
}

const looseFile = (repository: TestRepository, oid: string): string =>
  join(objectsDir(repository), oid.slice(0, 2), oid.slice(2))

const stored = async ({ gitRaw }: TestRepository, oid: string): Promise<Buffer> =>
  Buffer.from(await gitRaw(['cat-file', 'blob', oid]))

const temporaries = (repository: TestRepository): readonly string[] =>
  readdirSync(objectsDir(repository), { recursive: true, encoding: 'utf8' }).filter(name =>
    name.includes('tmp_obj'),
  )

describe.each(['sha1', 'sha256'] as const)('in a %s repository', format => {
  test.each([
    ['empty', new Uint8Array()],
    ['text', Buffer.from('hello\n')],
    ['bytes', Uint8Array.from({ length: 256 }, (_, byte) => byte)],
    ['so much that it is packed beside the event loop', seededRandom(1).bytes(600_000)],
  ])('git reads what was written: %s', async (_, bytes) => {
    const repository = await makeRepository({}, { objectFormat: format })
    const object = blob(bytes, format)
    await writeObjects(objectsPlace(repository), [object], 'process')
    expect((await stored(repository, object.oid)).equals(Buffer.from(bytes))).toBe(true)
    expect(statSync(looseFile(repository, object.oid)).mode & 0o777).toBe(0o444)
    expect(isLoose(objectsDir(repository), object.oid)).toBe(true)
    expect(await repository.git('fsck', '--no-dangling')).toBe('')
    expect(temporaries(repository)).toEqual([])
  })
})

test.each(['power', 'process'] as const)('many at once, %s', async durability => {
  const repository = await makeRepository({})
  const objects = Array.from({ length: 40 }, (_, n) => blob(`${n}`))
  await writeObjects(objectsPlace(repository), [...objects, ...objects.slice(0, 5)], durability)
  const input = objects.map(({ oid }) => `${oid}\n`).join('')
  const found = await repository.gitRaw(['cat-file', '--batch-check=%(objecttype)'], { input })
  expect(new TextDecoder().decode(found)).toBe('blob\n'.repeat(40))
  expect(temporaries(repository)).toEqual([])
})

test('git names the objects as we do', async () => {
  const repository = await makeRepository({ 'd/a.txt': 'a\n' })
  for (const type of ['blob', 'tree', 'commit'] as const) {
    const name = { blob: 'HEAD:d/a.txt', tree: 'HEAD:d', commit: 'HEAD' }[type]
    const body = await repository.gitRaw(['cat-file', type, name])
    expect(hashObject('sha1', type, body)).toBe(await repository.git('rev-parse', name))
  }
})

describe('an object that is there', () => {
  test('is made young again and not written anew', async () => {
    const repository = await makeRepository({ 'a.txt': 'a\n' })
    const file = looseFile(repository, blob('a\n').oid)
    const { ino } = statSync(file)
    utimesSync(file, 1_000, 1_000)
    const before = Date.now() - 60_000
    await writeObjects(objectsPlace(repository), [blob('a\n')], 'process')
    expect(statSync(file).ino).toBe(ino)
    expect(statSync(file).mtimeMs).toBeGreaterThan(before)
  })

  test.each([
    ['empty', Buffer.alloc(0)],
    ['cut off', undefined],
    ['something else', Buffer.from('no zlib stream')],
  ])('but is %s after a crash is written anew', async (_, content) => {
    const repository = await makeRepository({ 'a.txt': 'some text of a file\n' })
    const object = blob('some text of a file\n')
    const file = looseFile(repository, object.oid)
    const whole = readFileSync(file)
    chmodSync(file, 0o644)
    writeFileSync(file, content ?? whole.subarray(0, whole.length - 8))
    await writeObjects(objectsPlace(repository), [object], 'process')
    expect((await stored(repository, object.oid)).toString()).toBe('some text of a file\n')
    expect(await repository.git('fsck', '--no-dangling')).toBe('')
  })

  test('in a pack alone is written loose, so that no prune takes it', async () => {
    const repository = await makeRepository({ 'a.txt': 'a\n' })
    await repository.git('gc', '--quiet')
    const object = blob('a\n')
    expect(isLoose(objectsDir(repository), object.oid)).toBe(false)
    await writeObjects(objectsPlace(repository), [object], 'power')
    expect(isLoose(objectsDir(repository), object.oid)).toBe(true)
  })
})

describe('core.sharedRepository', () => {
  test.each([
    'group',
    'true',
    '1',
    'all',
    'everybody',
    '0640',
    '0666',
    '660',
    'umask',
    'false',
    '0',
  ])('%s: files and directories are as git makes them, whatever the umask', async value => {
    const repository = await makeRepository({}, { config: { 'core.sharedRepository': value } })
    const modes = (oid: string): readonly string[] => {
      const file = looseFile(repository, oid)
      return [file, dirname(file)].map(path => (statSync(path).mode & 0o7777).toString(8))
    }
    const sharing = parseSharing(value)
    const before = process.umask(0o077)
    try {
      const [ours, gits] = [blob(`ours ${value}`), `git's ${value}`]
      await writeObjects(objectsPlace(repository, sharing), [ours], 'process')
      const input = new TextEncoder().encode(gits)
      const git = await repository.gitRaw(['hash-object', '-w', '--stdin'], { input })
      expect(modes(ours.oid)).toEqual(modes(new TextDecoder().decode(git).trim()))
    } finally {
      process.umask(before)
    }
  })
})

test('a directory that cannot be written leaves nothing behind', async () => {
  const repository = await makeRepository({})
  const object = blob('x')
  // A file in place of the fan-out directory: no user may pass that.
  const folder = join(objectsDir(repository), object.oid.slice(0, 2))
  await rm(folder, { recursive: true, force: true })
  writeFileSync(folder, '')
  await expect(writeObjects(objectsPlace(repository), [object], 'power')).rejects.toThrow()
  expect(temporaries(repository)).toEqual([])
})

test('a ref that is packed, or new, can be made durable', async () => {
  const { path, git } = await makeRepository({})
  await git('branch', 'agent/x')
  await syncRef(join(path, '.git'), 'refs/heads/agent/x')
  await git('pack-refs', '--all', '--prune')
  await syncRef(join(path, '.git'), 'refs/heads/agent/x')
})
