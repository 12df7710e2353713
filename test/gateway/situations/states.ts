import { mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { create, type TestWorktree } from '../../support/gateway.js'
import type { TestRepository } from '../../support/repository.js'
import { committedApart, edits, type Situation } from './situation.js'

/** A commit of the agent's own branch and one beside it that contradict each other; then a command that stops there. */
const stopping =
  (...command: readonly string[]) =>
  async (worktree: TestWorktree): Promise<void> => {
    await worktree.write('a.txt', 'theirs\n')
    await worktree.commit('theirs')
    await worktree.git('branch', '--force', 'theirs')
    await worktree.git('reset', '--quiet', '--hard', 'HEAD~1')
    await worktree.write('a.txt', 'mine\n')
    await worktree.commit('mine')
    await expect(worktree.git(...command)).rejects.toThrow()
  }

const middleOf = (...command: readonly string[]): Pick<Situation, 'prepare' | 'ask'> => ({
  prepare: stopping(...command),
  ask: edits(create('n.txt', 'n\n')),
})

async function manyCommits({ commit }: TestWorktree): Promise<void> {
  for (const name of ['1', '2', '3', '4']) await commit(name)
}

const lock =
  (which: string) =>
  (_: unknown, { path }: TestRepository): void =>
    writeFileSync(join(path, '.git', which), '')

/** What a person does in the worktree or beside it. */
export const states: readonly Situation[] = [
  { name: 'merge in progress', ...middleOf('merge', 'theirs'), outcome: 'refused LOCKED' },
  {
    name: 'cherry-pick in progress',
    ...middleOf('cherry-pick', 'theirs'),
    outcome: 'refused LOCKED',
  },
  {
    name: 'revert in progress',
    ...middleOf('revert', '--no-edit', 'theirs'),
    outcome: 'refused LOCKED',
  },
  {
    name: 'rebase in progress',
    ...middleOf('rebase', 'theirs'),
    outcome: 'refused HEAD_MOVED',
  },
  {
    name: 'bisect in progress, at a commit in the middle',
    prepare: async worktree => {
      await manyCommits(worktree)
      await worktree.git('bisect', 'start', 'HEAD', 'HEAD~4')
    },
    outcome: 'refused HEAD_MOVED',
  },
  {
    name: 'bisect begun, still on the branch',
    prepare: ({ git }) => git('bisect', 'start'),
    outcome: 'handled',
    check: async ({ git }) => {
      await git('bisect', 'reset')
      expect(await git('symbolic-ref', 'HEAD')).toBe('refs/heads/agent/x')
    },
  },
  {
    name: 'bisect without checkout',
    prepare: async worktree => {
      await manyCommits(worktree)
      await worktree.git('bisect', 'start', '--no-checkout', 'HEAD', 'HEAD~4')
    },
    outcome: 'handled',
  },
  {
    name: 'detached HEAD in the worktree',
    prepare: ({ git }) => git('checkout', '--quiet', '--detach'),
    outcome: 'refused HEAD_MOVED',
  },
  {
    name: 'another branch in the worktree',
    prepare: ({ git }) => git('checkout', '--quiet', '-b', 'elsewhere'),
    outcome: 'refused HEAD_MOVED',
  },
  {
    name: 'the same branch in two worktrees',
    prepare: async ({ git }) => {
      const place = join(realpathSync(mkdtempSync(join(tmpdir(), 'second-'))), 'w')
      await git('worktree', 'add', '--quiet', '--force', place, 'agent/x')
    },
    outcome: 'refused LOCKED',
  },
  {
    name: "the branch's lock is held",
    prepare: lock('refs/heads/agent/x.lock'),
    outcome: 'refused LOCKED',
  },
  {
    name: 'the lock of packed refs is held',
    prepare: lock('packed-refs.lock'),
    outcome: 'handled',
  },
  {
    name: 'the lock of HEAD is held',
    prepare: async ({ git }) =>
      writeFileSync(join(await git('rev-parse', '--absolute-git-dir'), 'HEAD.lock'), ''),
    outcome: 'refused LOCKED',
  },
  {
    name: 'changed by hand, the file itself',
    prepare: ({ write }) => write('a.txt', 'a by hand\n'),
    ask: worktree => worktree.replace('a.txt', 'by hand', 'edited'),
    expected: { 'a.txt': 'a edited\n' },
    status: '',
    outcome: 'handled',
    check: committedApart,
  },
  {
    name: 'changed by hand, beside',
    prepare: ({ write }) => write('d/b.txt', 'by hand\n'),
    outcome: 'handled',
  },
  {
    name: 'deleted by hand, then edited at the revision before',
    prepare: ({ path }) => rmSync(join(path, 'a.txt')),
    ask: async worktree => {
      const rev = await worktree.git('rev-parse', 'HEAD:a.txt')
      await worktree.apply([{ op: 'append_lines', path: 'a.txt', text: 'x', expected_rev: rev }])
    },
    outcome: 'refused CONTENT_REV_CONFLICT',
  },
  {
    name: 'renamed by hand while the agent edits the old name',
    prepare: ({ git }) => git('mv', 'a.txt', 'renamed.txt'),
    ask: async worktree => {
      const rev = await worktree.git('rev-parse', 'HEAD:a.txt')
      await worktree.apply([{ op: 'append_lines', path: 'a.txt', text: 'x', expected_rev: rev }])
    },
    outcome: 'refused CONTENT_REV_CONFLICT',
  },
  {
    name: 'renamed by hand, then edited under the new name',
    prepare: ({ path }) => renameSync(join(path, 'a.txt'), join(path, 'renamed.txt')),
    ask: worktree => worktree.replace('renamed.txt', 'a', 'A'),
    expected: { 'renamed.txt': 'A\n' },
    // The old name is the person's to delete.
    status: 'D a.txt',
    outcome: 'falls back',
  },
  {
    name: 'an untracked file where the agent creates one',
    prepare: ({ write }) => write('n.txt', 'untracked\n'),
    ask: edits(create('n.txt', 'n\n')),
    outcome: 'refused PATH_EXISTS',
  },
  {
    name: 'an ignored file where the agent creates one',
    prepare: async worktree => {
      await worktree.write('.gitignore', '*.log\n')
      await worktree.commit('ignore')
      await worktree.write('n.log', 'ignored\n')
    },
    ask: edits(create('n.log', 'n\n')),
    outcome: 'refused PATH_EXISTS',
  },
  {
    name: 'the branch was deleted by hand',
    ask: async worktree => {
      const head = await worktree.git('rev-parse', 'HEAD')
      await worktree.git('update-ref', '-d', 'refs/heads/agent/x')
      try {
        await worktree.replace('a.txt', 'a', 'A')
      } finally {
        await worktree.git('update-ref', '--no-deref', 'refs/heads/agent/x', head)
      }
    },
    outcome: 'refused WORKTREE_GONE',
  },
]
