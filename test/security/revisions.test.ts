import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { EditInput } from '#src/edit/ops/parse-edit.js'
import { create, expectClean, openGateway, refusal } from '../support/gateway.js'
import { makeRepository } from '../support/repository.js'
import { digestOf } from './hostile.js'

const blobId = (bytes: Uint8Array): string =>
  createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')

describe('CAS-3: a revision is the blob, not the bytes of the file', () => {
  test.each([
    ['line endings', 'eol.txt', 'a\r\nb\r\n'],
    ['an encoding', 'enc.txt', Buffer.from('\ufeffhi\nho\n', 'utf16le')],
    ['an id that is filled in', 'ident.txt', '$Id$\nb\n'],
  ])('%s', async (_, path, content) => {
    const repository = await makeRepository({
      '.gitattributes':
        'eol.txt text eol=crlf\nenc.txt working-tree-encoding=UTF-16\nident.txt ident\n',
      [path]: content,
    })
    const worktree = await (await openGateway(repository)).open('alice')
    const rev = await worktree.rev(path)
    expect(rev).toBe(await worktree.git('rev-parse', `HEAD:${path}`))
    const ofFile = blobId(readFileSync(join(worktree.path, path)))
    expect(ofFile).not.toBe(rev)
    const edit = (expected_rev: string): EditInput => ({
      op: 'append_lines',
      path,
      expected_rev,
      text: 'more',
    })
    expect(await refusal(worktree.apply([edit(ofFile)]))).toMatchObject({
      code: 'CONTENT_REV_CONFLICT',
      actual: rev,
    })
    const { files } = await worktree.apply([edit(rev)])
    expect(files[0]?.after_rev).toBe(await worktree.git('rev-parse', `HEAD:${path}`))
    expect(await worktree.rev(path)).toBe(files[0]?.after_rev)
    expect(await worktree.git('status', '--porcelain')).toBe('')
  })
})

test('CAS-4: twenty edits of which the last is stale change nothing at all', async () => {
  const names = Array.from({ length: 20 }, (_, number) => `d${number % 3}/f${number}.txt`)
  const repository = await makeRepository(Object.fromEntries(names.map(name => [name, 'one\n'])))
  const worktree = await (await openGateway(repository)).open('alice')
  const rev = await worktree.rev(names[0] ?? '')
  const before = [digestOf(worktree.path), await worktree.git('rev-parse', 'HEAD')]
  const edits = names.map(
    (path, at): EditInput => ({
      op: 'append_lines',
      path,
      expected_rev: at === 19 ? '0'.repeat(40) : rev,
      text: 'x',
    }),
  )
  expect(await refusal(worktree.apply(edits))).toMatchObject({
    code: 'CONTENT_REV_CONFLICT',
    index: 19,
    path: names[19],
  })
  expect([digestOf(worktree.path), await worktree.git('rev-parse', 'HEAD')]).toEqual(before)
  await expectClean(worktree)
})

/** One worktree for all refusals: each must leave it as it was. */
const world = (async () => {
  const repository = await makeRepository({
    'a.txt': 'a\n',
    'd/b.txt': 'b\n',
    '.gitignore': 'ignored.txt\n',
  })
  const worktree = await (await openGateway(repository)).open('alice')
  for (const name of ['loose.txt', 'ignored.txt']) await worktree.write(name, 'mine\n')
  await worktree.apply([create('c.txt', 'c\n')])
  const [rev, head] = [await worktree.rev('a.txt'), await worktree.git('rev-parse', 'HEAD')]
  return { worktree, rev, head, before: digestOf(worktree.path) }
})()

describe('CAS-6: what is created, deleted and moved is checked like any edit', () => {
  const other = '1'.repeat(40)
  const cases: readonly (readonly [string, (rev: string) => readonly EditInput[], string])[] = [
    ['a creation where a file is', () => [create('a.txt', 'x')], 'PATH_EXISTS'],
    ['a creation below a file', () => [create('a.txt/b', 'x')], 'PATH_EXISTS'],
    ['a creation where a directory is', () => [create('d', 'x')], 'PATH_EXISTS'],
    ['a creation where an untracked file is', () => [create('loose.txt', 'x')], 'PATH_EXISTS'],
    ['a creation where an ignored file is', () => [create('ignored.txt', 'x')], 'PATH_EXISTS'],
    [
      'a creation that names a revision',
      () => [{ op: 'write_file', path: 'n', expected_rev: other, text: 'x' }],
      'CONTENT_REV_CONFLICT',
    ],
    [
      'a deletion at another revision',
      () => [{ op: 'delete_file', path: 'a.txt', expected_rev: other }],
      'CONTENT_REV_CONFLICT',
    ],
    [
      'a deletion of what is not there',
      () => [{ op: 'delete_file', path: 'n', expected_rev: other }],
      'CONTENT_REV_CONFLICT',
    ],
    [
      'a deletion of what must not be there',
      () => [{ op: 'delete_file', path: 'a.txt', expected_rev: null }],
      'PATH_EXISTS',
    ],
    [
      'a move at another revision',
      () => [{ op: 'move_file', path: 'a.txt', to: 'n', expected_rev: other }],
      'CONTENT_REV_CONFLICT',
    ],
    [
      'a move onto a file',
      rev => [{ op: 'move_file', path: 'a.txt', to: 'd/b.txt', expected_rev: rev }],
      'PATH_EXISTS',
    ],
    [
      'a move onto an untracked file',
      rev => [{ op: 'move_file', path: 'a.txt', to: 'loose.txt', expected_rev: rev }],
      'PATH_EXISTS',
    ],
    [
      'two files at one place',
      () => [create('n', 'x'), { op: 'write_file', path: 'n/m', expected_rev: null, text: 'y' }],
      'PATH_EXISTS',
    ],
  ]

  test.each(cases)('%s', async (_, edits, code) => {
    const { worktree, rev, head, before } = await world
    const told = await refusal(worktree.apply(edits(rev)))
    expect(told.code).toBe(code)
    expect(digestOf(worktree.path)).toBe(before)
    expect(await worktree.git('rev-parse', 'HEAD')).toBe(head)
  })
})
