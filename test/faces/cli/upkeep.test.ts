import { existsSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeRepository, type TestRepository } from '../../support/repository.js'
import { type Ran, runProgram } from './run.js'

const state = await mkdtemp(join(tmpdir(), 'cli-'))

const run = ({ path }: TestRepository, ...args: readonly string[]): Promise<Ran> =>
  runProgram([...args, '--durability', 'process'], { cwd: path, env: { XDG_STATE_HOME: state } })

test('a worktree is opened without files, which then are written as they are named', async () => {
  const repository = await makeRepository({ 'a.txt': 'a\n', 'd/b.txt': 'b\n', 'e/c.txt': 'c\n' })
  const { stdout } = await run(repository, 'open', 'alice', '--files', 'none', '--json')
  const { path } = JSON.parse(stdout)
  const there = (): readonly boolean[] =>
    ['a.txt', 'd/b.txt', 'e/c.txt'].map(file => existsSync(join(path, file)))
  expect(there()).toEqual([false, false, false])
  const some = await run(repository, 'materialise', 'alice', 'a.txt', 'd')
  expect([some.code, some.stdout]).toEqual([0, '2 written, 1 still absent\n'])
  expect(there()).toEqual([true, true, false])
  const all = await run(repository, 'materialise', 'alice')
  expect([all.code, all.stdout, there()]).toEqual([
    0,
    '1 written, 0 still absent\n',
    [true, true, true],
  ])
})

test('verify says what it has read', async () => {
  const repository = await makeRepository({ 'a.txt': 'a\n' })
  await run(repository, 'open', 'alice')
  const { code, stdout } = await run(repository, 'verify', 'alice')
  expect([code, stdout]).toEqual([
    0,
    'ok: 0 commits, 0 trees, 0 blobs, 0 trailers read by isomorphic-git\n',
  ])
})

test('doctor speaks of a repository that every other command refuses', async () => {
  const repository = await makeRepository({ 'a.txt': 'a\n' })
  await repository.git('config', 'extensions.unheardOf', 'yes')
  const refused = await run(repository, 'repos')
  expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining('UNSUPPORTED')])
  const told = await run(repository, 'doctor')
  expect([told.code, told.stdout]).toEqual([
    0,
    expect.stringMatching(/problem .*: repository +refused: UNSUPPORTED_REPOSITORY/),
  ])
  const json = await run(repository, 'doctor', '--json')
  expect(JSON.parse(json.stdout)).toMatchObject({ ok: false })
})
