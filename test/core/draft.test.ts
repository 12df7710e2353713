import { expect, test } from 'vitest'
import type { Blob } from '#src/core/blob.js'
import { Draft } from '#src/core/draft.js'
import { parseOid } from '#src/core/oid.js'
import { parseRepoPath } from '#src/core/repo-path.js'
import { memoryTree } from '#src/core/tree.js'

const path = parseRepoPath
const content = (text: string) => ({
  mode: '100644' as const,
  bytes: new TextEncoder().encode(text),
})
const blob = (text: string, digit: string): Blob => ({
  ...content(text),
  oid: parseOid(digit.repeat(40)),
})

const a = blob('1', 'a')
const b = blob('2', 'b')
const draft = new Draft(
  memoryTree(
    new Map([
      [path('a'), a],
      [path('b'), b],
    ]),
  ),
)

test('a draft reads through to its tree', async () => {
  expect(await draft.read(path('a'))).toBe(a)
  expect(await draft.read(path('x'))).toBeUndefined()
})

test('every change is a new draft and leaves the old one alone', async () => {
  const written = await draft.write(path('a'), content('3'))
  const removed = await written.remove(path('a'))
  expect(await written.read(path('a'))).toEqual(content('3'))
  expect(await removed.read(path('a'))).toBeUndefined()
  expect(await draft.read(path('a'))).toBe(a)
  expect(await draft.changes()).toEqual([])
})

test('edits are told of the blob they were made from, also after a move', async () => {
  const edits = [{ from: 0, to: 1, insert: new Uint8Array([0x33]) }]
  const edited = await draft.write(path('a'), { ...content('3'), edits })
  const moved = await edited.move(path('a'), path('c'))
  expect(await moved.changes()).toEqual([
    { path: 'c', from: 'a', before: a, after: content('3'), edits },
  ])
})

test('a file that takes the place of another is no rename', async () => {
  const moved = await (await draft.remove(path('b'))).move(path('a'), path('b'))
  expect(await moved.changes()).toEqual([
    { path: 'a', before: a },
    { path: 'b', before: b, after: content('1') },
  ])
})

test('only the first history of a path is its own', async () => {
  const left = await draft.move(path('a'), path('c'))
  const again = await left.write(path('a'), content('3'))
  const moved = await again.move(path('a'), path('d'))
  expect(await moved.changes()).toEqual([
    { path: 'c', from: 'a', before: a, after: content('1'), edits: [] },
    { path: 'd', after: content('3') },
  ])
})

test('while a file still stands where another moved in, they are in conflict', async () => {
  const crowded = await draft.move(path('a'), path('b'))
  const cleared = await crowded.remove(path('b'))
  expect(await crowded.conflicts()).toEqual([
    { path: 'b', obstacle: { kind: 'file_in_the_way', path: 'b' } },
  ])
  expect(await cleared.conflicts()).toEqual([])
  expect((await cleared.read(path('b')))?.bytes).toEqual(a.bytes)
})

test('two hundred changes share what they do not touch', async () => {
  let grown = draft
  for (let index = 0; index < 200; index += 1) {
    grown = await grown.write(path(`f${index}`), content('x'))
  }
  expect((await grown.changes()).length).toBe(200)
  expect(await grown.read(path('a'))).toBe(a)
})
