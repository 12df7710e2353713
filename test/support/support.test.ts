import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { seededRandom } from './random.js'
import { makeRepository } from './repository.js'
import { expectSameCommit } from './second-reader.js'

describe('random', () => {
  test('the same seed gives the same chance', () => {
    const [a, b] = [seededRandom(7), seededRandom(7)]
    expect(a.text(50)).toBe(b.text(50))
    expect(a.bytes(50)).toEqual(b.bytes(50))
  })

  test('another seed gives another', () => {
    expect(seededRandom(1).bytes(20)).not.toEqual(seededRandom(2).bytes(20))
  })

  test('numbers stay in their range and reach both ends', () => {
    const random = seededRandom(3)
    const seen = new Set(Array.from({ length: 200 }, () => random.int(2, 5)))
    expect([...seen].sort()).toEqual([2, 3, 4])
  })
})

describe('makeRepository', () => {
  test('the same files give the same commit', async () => {
    const files = {
      'a.txt': 'a\n',
      'bytes.bin': new Uint8Array([0, 255]),
      'run.sh': { text: '#!/bin/sh\n', mode: '755' },
      link: { symlink: 'a.txt' },
    } as const
    const { git } = await makeRepository(files)
    expect(await git('rev-parse', 'HEAD')).toBe('0d5b4a77ec79296910050ee714f4aad5a7ac8368')
    const modes = (await git('ls-tree', '--format=%(objectmode) %(path)', 'HEAD')).split('\n')
    expect(modes).toEqual(['100644 a.txt', '100644 bytes.bin', '120000 link', '100755 run.sh'])
  })

  test('a later commit has a later date', async () => {
    const repository = await makeRepository({ 'a.txt': 'a\n' })
    await repository.write('a.txt', 'b\n')
    await repository.commit('second')
    expect(await repository.git('log', '--format=%cI %an %s')).toBe(
      '2024-01-02T03:05:05+00:00 Test Person second\n2024-01-02T03:04:05+00:00 Test Person first',
    )
  })

  test.each([
    ['sha256', { objectFormat: 'sha256' }, ['rev-parse', '--show-object-format'], 'sha256'],
    ['bare', { bare: true }, ['rev-parse', '--is-bare-repository'], 'true'],
    ['branch', { branch: 'trunk' }, ['symbolic-ref', 'HEAD'], 'refs/heads/trunk'],
    ['config', { config: { 'core.eol': 'crlf' } }, ['config', 'core.eol'], 'crlf'],
  ] as const)('option %s', async (_, options, args, answer) => {
    const { git } = await makeRepository({ 'a.txt': 'a\n' }, options)
    expect(await git(...args)).toBe(answer)
  })

  test('a failed git speaks for itself', async () => {
    const { git, path, remove } = await makeRepository({})
    await expect(git('rev-parse', '--verify', 'nowhere')).rejects.toThrow(
      'Needed a single revision',
    )
    await remove()
    expect(existsSync(path)).toBe(false)
  })

  test('input is passed on', async () => {
    const { gitRaw } = await makeRepository({})
    const oid = await gitRaw(['hash-object', '--stdin'], { input: new Uint8Array([104, 105]) })
    expect(new TextDecoder().decode(oid)).toBe('32f95c0d1244a78b2be1bab8de17906fabb2c4a8\n')
  })
})

describe('expectSameCommit', () => {
  test('a commit is compared with its parent', async () => {
    const repository = await makeRepository({ 'a.txt': 'a\n', 'b/c.txt': 'c\n', ä: 'umlaut' })
    await repository.write('b/c.txt', new Uint8Array([0, 200, 13, 10]))
    const oid = await repository.commit('second\n\nWith a body.')
    expect(await expectSameCommit(repository, oid)).toEqual({ checked: true, files: 3, blobs: 1 })
  })

  test('packed objects are read too', async () => {
    const repository = await makeRepository({ 'a.txt': 'a\n' })
    await repository.git('gc', '--quiet')
    const oid = await repository.git('rev-parse', 'HEAD')
    expect(await expectSameCommit(repository, oid)).toEqual({ checked: true, files: 1, blobs: 1 })
  })

  test('a damaged object is seen', async () => {
    const repository = await makeRepository({ 'a.txt': 'a\n' })
    const blob = await repository.git('rev-parse', 'HEAD:a.txt')
    const file = join(repository.path, '.git/objects', blob.slice(0, 2), blob.slice(2))
    await rm(file)
    await writeFile(file, deflateSync('blob 2\0b\n'))
    const oid = await repository.git('rev-parse', 'HEAD')
    await expect(expectSameCommit(repository, oid)).rejects.toThrow()
  })

  test('what isomorphic-git cannot read is said', async () => {
    const repository = await makeRepository({ 'a.txt': 'a\n' }, { objectFormat: 'sha256' })
    const oid = await repository.git('rev-parse', 'HEAD')
    expect(await expectSameCommit(repository, oid)).toMatchObject({ checked: false })
  })
})
