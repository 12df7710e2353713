import { mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRefusalRecorder } from '#src/gateway/telling/record-refusals.js'
import { openGateway, refusal } from '../../support/gateway.js'
import { makeRepository } from '../../support/repository.js'

let place: string
beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'refusals-'))
})
afterAll(() => rm(place, { recursive: true, force: true }))

test('each failure of a refused batch is a line, and what lands is none', async () => {
  const file = join(place, 'refused.jsonl')
  const recordRefusal = openRefusalRecorder(file)
  const repository = await makeRepository({ 'a.txt': 'one\n', 'b.txt': 'two\n' })
  const worktree = await (await openGateway(repository, { recordRefusal })).open('clumsy')
  const rev = await worktree.rev('a.txt')
  await worktree.replace('b.txt', 'two', 'three')
  await refusal(
    worktree.apply([
      { op: 'replace_text', path: 'a.txt', expected_rev: rev, find: 'none', replace: 'x' },
      { op: 'delete_file', path: 'c.txt' },
    ]),
  )
  const lines = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(lines.map(({ time: _time, ...line }) => line)).toEqual([
    {
      worktree: worktree.id,
      path: 'a.txt',
      op: 'replace_text',
      find: 'none',
      rev,
      code: 'ZERO_MATCHES',
    },
    {
      worktree: worktree.id,
      path: 'c.txt',
      op: 'delete_file',
      rev: null,
      code: 'FILE_NOT_FOUND',
    },
  ])
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test.each([
  ['a directory', (path: string) => mkdirSync(path)],
  ['a symbolic link', (path: string) => symlinkSync('/dev/null', path)],
])('%s is no file to record in', async (name, make) => {
  const path = join(place, name)
  make(path)
  expect(await refusal(Promise.resolve().then(() => openRefusalRecorder(path)))).toMatchObject({
    code: 'INVALID_ARGUMENTS',
  })
})
