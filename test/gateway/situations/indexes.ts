import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { create, type TestWorktree } from '../../support/gateway.js'
import { committedApart, edits, type Situation } from './situation.js'

const index =
  (...flags: readonly string[]) =>
  ({ git }: TestWorktree): Promise<string> =>
    git('update-index', ...flags)

const created = { ask: edits(create('n/n.txt', 'n\n')), expected: { 'n/n.txt': 'n\n' } }

async function stage({ write, git }: TestWorktree, path: string, text: string): Promise<void> {
  await write(path, text)
  await git('add', path)
}

const staged = async ({ git }: TestWorktree): Promise<void> =>
  expect(await git('diff', '--cached', '--name-only')).toBe('d/b.txt')

/** Forms of the index, and what may stand in it. */
export const indexes: readonly Situation[] = [
  { name: 'index version 2', outcome: 'handled' },
  { name: 'index version 2, a new file', outcome: 'falls back', ...created },
  {
    name: 'index version 3: another file intended to be added',
    prepare: async ({ git, write }) => {
      await write('later.txt', 'later\n')
      await git('add', '--intent-to-add', 'later.txt')
    },
    outcome: 'handled',
  },
  {
    name: 'the file itself intended to be added',
    prepare: async ({ git, write }) => {
      await write('later.txt', 'later\n')
      await git('add', '--intent-to-add', 'later.txt')
    },
    ask: worktree => worktree.replace('later.txt', 'later', 'now'),
    expected: { 'later.txt': 'now\n' },
    status: '',
    outcome: 'handled',
  },
  { name: 'index version 4', prepare: index('--index-version', '4'), outcome: 'falls back' },
  { name: 'split index', prepare: index('--split-index'), outcome: 'falls back' },
  { name: 'untracked cache', prepare: index('--force-untracked-cache'), outcome: 'handled' },
  {
    name: 'sparse checkout, full index',
    prepare: ({ git }) => git('sparse-checkout', 'set', '--cone', '--no-sparse-index', 'd/e'),
    outcome: 'handled',
  },
  {
    name: 'sparse index',
    prepare: ({ git }) => git('sparse-checkout', 'set', '--cone', '--sparse-index', 'd/e'),
    outcome: 'falls back',
  },
  {
    name: 'skip-worktree beside',
    prepare: async worktree => {
      await index('--skip-worktree', 'd/b.txt')(worktree)
      rmSync(join(worktree.path, 'd/b.txt'))
    },
    outcome: 'handled',
  },
  {
    name: 'skip-worktree on the file itself',
    prepare: async worktree => {
      await index('--skip-worktree', 'a.txt')(worktree)
      rmSync(join(worktree.path, 'a.txt'))
    },
    outcome: 'falls back',
  },
  {
    name: 'staged and not committed, beside',
    prepare: worktree => stage(worktree, 'd/b.txt', 'staged\n'),
    outcome: 'handled',
    check: staged,
  },
  {
    name: 'staged and not committed, the file itself',
    prepare: worktree => stage(worktree, 'a.txt', 'a staged\n'),
    ask: worktree => worktree.replace('a.txt', 'staged', 'edited'),
    expected: { 'a.txt': 'a edited\n' },
    status: '',
    outcome: 'handled',
    check: committedApart,
  },
  {
    name: 'conflicts in the index',
    prepare: async ({ git, gitRaw }) => {
      const blob = await git('rev-parse', 'HEAD:a.txt')
      const entries = [1, 2, 3].map(stage => `100644 ${blob} ${stage}\ta.txt\n`).join('')
      const input = `0 ${'0'.repeat(blob.length)}\ta.txt\n${entries}`
      await gitRaw(['update-index', '--index-info'], { input })
    },
    outcome: 'refused LOCKED',
  },
  {
    name: "somebody's index.lock",
    prepare: async ({ git }) =>
      writeFileSync(join(await git('rev-parse', '--absolute-git-dir'), 'index.lock'), ''),
    outcome: 'refused LOCKED',
  },
]
