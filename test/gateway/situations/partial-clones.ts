import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { create, type TestWorktree } from '../../support/gateway.js'
import { type TestRepository, testRepository } from '../../support/repository.js'
import { makePlain, type Situation } from './situation.js'

/** Its first commit has blobs that were never fetched; `d/b.txt` and what it needs is there. */
async function partialClone(): Promise<TestRepository> {
  const source = await makePlain()
  await source.git('config', 'uploadpack.allowFilter', 'true')
  const clone = testRepository(mkdtempSync(join(tmpdir(), 'repository-')))
  const url = `file://${source.path}`
  await clone.git('clone', '--quiet', '--no-checkout', '--filter=blob:none', url, '.')
  await clone.git('checkout', '--quiet', 'HEAD', '--', 'd/b.txt')
  // A fetch leaves a trace, and could not come through.
  await clone.git('remote', 'set-url', 'origin', `ext::touch ${clone.path}/fetched`)
  await clone.git('config', 'protocol.ext.allow', 'always')
  return clone
}

const neverFetched = (_: unknown, { path }: TestRepository): void =>
  expect(existsSync(join(path, 'fetched')), 'nothing is fetched').toBe(false)

const withoutFiles = { make: partialClone, open: { files: 'none' as const }, check: neverFetched }

/** Missing is still told so after the child that said it has ended, and what is there is still read. */
async function readsOn(worktree: TestWorktree): Promise<void> {
  expect(await worktree.text('d/b.txt')).toBe('b\n')
}

/** Objects that only a fetch could bring: git of this age ends when it meets one. */
export const partialClones: readonly Situation[] = [
  {
    name: 'a worktree with all its files, which are not there',
    make: partialClone,
    outcome: 'refused OBJECT_MISSING',
  },
  {
    name: 'a missing blob is read',
    ...withoutFiles,
    ask: worktree => worktree.text('a.txt'),
    outcome: 'refused OBJECT_MISSING',
  },
  {
    name: 'a missing blob is edited',
    ...withoutFiles,
    ask: async worktree => {
      await readsOn(worktree)
      const rev = await worktree.git('rev-parse', 'HEAD:a.txt')
      await worktree.apply([{ op: 'append_lines', path: 'a.txt', text: 'x', expected_rev: rev }])
    },
    outcome: 'refused OBJECT_MISSING',
  },
  {
    name: 'a missing blob is asked for again and again, and others are read between',
    ...withoutFiles,
    ask: async worktree => {
      for (let round = 0; round < 3; round += 1) {
        await expect(worktree.text('a.txt')).rejects.toMatchObject({ code: 'OBJECT_MISSING' })
        await readsOn(worktree)
      }
      await worktree.text('a.txt')
    },
    outcome: 'refused OBJECT_MISSING',
  },
  {
    name: 'an edit beside missing blobs',
    ...withoutFiles,
    ask: worktree => worktree.replace('d/b.txt', 'b', 'B'),
    expected: { 'd/b.txt': 'B\n' },
    outcome: 'handled',
  },
  {
    name: 'a creation beside missing blobs',
    ...withoutFiles,
    ask: worktree => worktree.apply([create('d/n.txt', 'n\n')]),
    expected: { 'd/n.txt': 'n\n' },
    outcome: 'falls back',
  },
  {
    name: 'a deletion beside missing blobs',
    ...withoutFiles,
    ask: async worktree =>
      worktree.apply([
        { op: 'delete_file', path: 'd/b.txt', expected_rev: await worktree.rev('d/b.txt') },
      ]),
    expected: { 'd/b.txt': null },
    outcome: 'falls back',
  },
]
