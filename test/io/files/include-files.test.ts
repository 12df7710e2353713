import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { parseRepoPath } from '#src/core/repo-path.js'
import { FileInclusion, type InclusionBounds } from '#src/io/files/include-files.js'

const place = mkdtempSync(join(tmpdir(), 'include-'))
afterAll(() => rmSync(place, { recursive: true }))
let worlds = 0

const wide = { includedFiles: 100, includedBytes: 100, includedDepth: 10, includeMs: 60_000 }

interface World {
  readonly source: string
  readonly target: string
}

function makeWorld(files: readonly string[]): World {
  worlds += 1
  const [source, target] = ['source', 'target'].map(name => join(place, `${worlds}`, name))
  if (source === undefined || target === undefined) throw new Error('there are two')
  for (const directory of [source, target]) mkdirSync(directory, { recursive: true })
  for (const file of files) {
    mkdirSync(dirname(join(source, file)), { recursive: true })
    writeFileSync(join(source, file), '0123456789')
  }
  return { source, target }
}

async function included(
  { source, target }: World,
  paths: readonly string[],
  bounds: InclusionBounds = wide,
): Promise<{ readonly there: number; readonly leftOut: readonly string[]; readonly done: object }> {
  const leftOut: string[] = []
  const add = (path: string, why: string): unknown => leftOut.push(`${path} ${why}`)
  const inclusion = new FileInclusion(source, target, add, bounds)
  for (const path of paths) await inclusion.include(parseRepoPath(path))
  const entries = readdirSync(target, { recursive: true, withFileTypes: true })
  const there = entries.filter(entry => !entry.isDirectory()).length
  return { there, leftOut: leftOut.sort(), done: inclusion.done }
}

const five = ['a', 'b', 'c', 'd', 'e']

test.each<[string, Partial<InclusionBounds>, readonly string[], number, readonly string[]]>([
  ['all of it', {}, five, 5, []],
  ['so many files', { includedFiles: 3 }, five, 3, ['d limit', 'e limit']],
  ['so many bytes', { includedBytes: 39 }, five, 3, ['d limit', 'e limit']],
  ['no more in time', { includeMs: -1 }, five, 0, five.map(name => `${name} limit`)],
  ['a large one is passed over', { includedBytes: 9 }, ['a'], 0, ['a limit']],
])('what the bounds allow: %s', async (_, bounds, paths, there, leftOut) => {
  const world = makeWorld(five)
  const found = await included(world, paths, { ...wide, ...bounds })
  expect(found).toEqual({ there, leftOut, done: { files: there, links: 0, bytes: 10 * there } })
})

test('directories in each other are followed so far', async () => {
  const world = makeWorld(['a/b/c/d/e.txt', 'a/f.txt'])
  const found = await included(world, ['a'], { ...wide, includedDepth: 3 })
  expect(found).toMatchObject({ there: 1, leftOut: ['a/b/c/d limit'] })
})

test('a full place says once of a directory that the rest stays behind', async () => {
  const world = makeWorld(Array.from({ length: 50 }, (_, at) => `a/${at}`))
  const found = await included(world, ['a'], { ...wide, includedFiles: 10 })
  expect(found.there).toBe(10)
  expect(found.leftOut.length).toBe(2)
  expect(found.leftOut[0]).toBe('a limit')
})

test('what is there stays', async () => {
  const world = makeWorld(['a', 'b/c', 'd/e'])
  writeFileSync(join(world.target, 'a'), 'mine')
  symlinkSync('/nowhere', join(world.target, 'b'))
  writeFileSync(join(world.target, 'd'), 'mine')
  const found = await included(world, ['a', 'b', 'd', 'b/c'])
  expect(found).toMatchObject({ leftOut: ['a exists', 'b exists', 'b/c exists', 'd exists'] })
  expect(found.done).toEqual({ files: 0, links: 0, bytes: 0 })
})

test('nothing is read through a link on the way', async () => {
  const world = makeWorld(['secret/key'])
  mkdirSync(join(world.source, 'a'))
  symlinkSync('../secret', join(world.source, 'a/link'))
  const found = await included(world, ['a/link/key', 'gone', 'gone/too'])
  expect(found.there).toBe(0)
  expect(found.leftOut).toEqual(['a/link/key link_out', 'gone gone', 'gone/too gone'])
})

test('no link leads out by way of another one', async () => {
  const world = makeWorld(['top/file', 'p/q/r/file', '../x'])
  const links = {
    up: '../../../top',
    plain: './/../r/file',
    // As it reads, p/q/x; as it is followed, beside the whole.
    out: 'up/../../x',
    back: '../r/../../q',
  }
  for (const [name, target] of Object.entries(links)) {
    symlinkSync(target, join(world.source, 'p/q/r', name))
  }
  expect(realpathSync.native(join(world.source, 'p/q/r/out'))).toBe(join(world.source, '../x'))
  const found = await included(world, ['top', 'p'])
  expect(found.leftOut).toEqual(['p/q/r/back link_out', 'p/q/r/out link_out'])
  expect(found.done).toMatchObject({ files: 2, links: 2 })
})
