import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fileSystemOf, spaceAt, tryAbilities } from '#src/io/files/file-system.js'
import { findStanding } from '#src/io/files/find-standing.js'
import { makeRepository } from '../../support/repository.js'

test('a path lies on the innermost mount', () => {
  expect(fileSystemOf('/proc/self')).toMatchObject({
    type: 'proc',
    mountPoint: '/proc',
    isShared: false,
  })
  expect(fileSystemOf('/')?.mountPoint).toBe('/')
  expect(fileSystemOf(join(tmpdir(), 'not', 'there', 'yet'))).toEqual(fileSystemOf(tmpdir()))
})

test('there is room', () => expect(spaceAt(tmpdir()).bytes).toBeGreaterThan(0))

test('what was tried out leaves nothing behind', () => {
  const place = mkdtempSync(join(tmpdir(), 'abilities-'))
  const abilities = tryAbilities(join(place, 'new'))
  expect(abilities).toMatchObject({ exclusiveCreate: true, renameOver: true })
  expect(tryAbilities(place)).toEqual(abilities)
  expect(readdirSync(place)).toEqual([])
})

test('paths are told by what stands there, and no link is followed', async () => {
  const { path } = await makeRepository({
    'a.txt': 'a',
    'd/e/f.txt': 'f',
    link: { symlink: 'd' },
    'ä.txt': 'ä',
  })
  const name = Buffer.from('ä.txt').toString('latin1')
  const names = [
    'a.txt',
    'b.txt',
    'd',
    'd/e/f.txt',
    'd/e/g.txt',
    'x/y/z',
    'a.txt/b',
    'link',
    'link/e/f.txt',
    name,
  ]
  expect(findStanding(path, names)).toEqual({
    present: ['a.txt', 'd/e/f.txt', 'link', name],
    absent: ['b.txt', 'd/e/g.txt', 'x/y/z'],
    obstructed: ['d', 'a.txt/b', 'link/e/f.txt'],
  })
})
