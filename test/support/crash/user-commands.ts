import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestRepository } from '../repository.js'

/** Where a person sits: in the agent's worktree and in the main checkout. */
export interface Desk {
  readonly worktree: TestRepository
  readonly main: TestRepository
}

/** The agent's branch. */
export const branch = 'agent/dora'

/** Long enough for the agent to meet what was begun. */
const seenMs = 60

/** What a person does with git beside an agent; a git that finds a lock taken just fails. */
const commands = {
  commit: async ({ worktree }, round) => {
    writeFileSync(join(worktree.path, `user-${round % 5}.txt`), `commit ${round}\n`)
    await worktree.git('add', '-A')
    await worktree.git('commit', '-q', '-m', `user ${round}`)
  },
  'commit -a': async ({ worktree }, round) => {
    writeFileSync(join(worktree.path, 'user.txt'), `commit -a ${round}\n`)
    await worktree.git('commit', '-q', '-a', '-m', `user ${round}`)
  },
  /** Also a file that the agent edits. */
  add: async ({ worktree }, round) => {
    mkdirSync(join(worktree.path, 'added'), { recursive: true })
    writeFileSync(join(worktree.path, `added/${round}.txt`), `${userLine(round)}\n`)
    appendFileSync(join(worktree.path, 'agent.txt'), `${userLine(round)}\n`)
    await worktree.git('add', 'added', 'agent.txt')
  },
  status: async ({ worktree }) => {
    await worktree.git('status', '--porcelain')
  },
  stash: async ({ worktree }, round) => {
    writeFileSync(join(worktree.path, 'user.txt'), `stash ${round}\n`)
    await worktree.git('stash', '-q')
    await worktree.git('stash', 'pop', '-q')
  },
  clean: async ({ worktree }) => {
    await worktree.git('clean', '-fdq')
  },
  merge: async ({ worktree, main }, round) => {
    await commitOnMain(main, round)
    await worktree.git('merge', '-q', '--no-edit', 'main')
  },
  'merge --no-commit': async ({ worktree, main }, round) => {
    await commitOnMain(main, round)
    await worktree.git('merge', '-q', '--no-commit', '--no-ff', 'main')
    await sleep(seenMs)
    await worktree.git('commit', '-q', '--no-edit')
  },
  'cherry-pick': async ({ worktree, main }, round) => {
    await commitOnMain(main, round)
    await worktree.git('cherry-pick', 'main')
  },
  rebase: async ({ worktree, main }, round) => {
    await commitOnMain(main, round)
    await worktree.git('rebase', '-q', '--autostash', 'main')
  },
  'rebase main': async ({ main }, round) => {
    await commitOnMain(main, round)
    await main.git('rebase', '-q', '--force-rebase', 'HEAD~1')
  },
  checkout: async ({ worktree }) => {
    await worktree.git('checkout', '-q', 'other')
    await sleep(seenMs)
  },
  'reset --soft': async ({ worktree }) => {
    await worktree.git('reset', '-q', '--soft', 'HEAD~1')
  },
  'reset --hard': async ({ worktree }) => {
    await worktree.git('reset', '-q', '--hard', 'HEAD~1')
  },
  branch: async ({ worktree }) => {
    await worktree.git('branch', '-f', 'other', 'HEAD')
  },
  /** Git refuses it while the branch is checked out. */
  'branch -f its own': async ({ main }) => {
    await main.git('branch', '-f', branch, `${branch}~1`)
  },
  'update-ref its own': async ({ main }) => {
    await main.git('update-ref', `refs/heads/${branch}`, `refs/heads/${branch}~1`)
  },
  tag: async ({ worktree }) => {
    await worktree.git('tag', '-f', 'moving')
  },
  gc: async ({ main }) => {
    await main.git('gc', '-q', '--prune=now')
  },
  repack: async ({ main }) => {
    await main.git('repack', '-a', '-d', '-q')
  },
  'pack-refs': async ({ main }) => {
    await main.git('pack-refs', '--all', '--prune')
  },
  'worktree prune': async ({ main }) => {
    await main.git('worktree', 'prune')
  },
  /** Git refuses it, because the gateway locks its worktrees. */
  'worktree remove': async ({ worktree, main }) => {
    await main.git('worktree', 'remove', worktree.path)
  },
  'worktree remove --force --force': async ({ worktree, main }) => {
    await main.git('worktree', 'remove', '--force', '--force', worktree.path)
    await sleep(seenMs)
  },
} as const satisfies Record<string, (desk: Desk, round: number) => Promise<void>>

export type UserCommand = keyof typeof commands

export const allCommands = Object.keys(commands) as UserCommand[]

/** Does one of them; false where git refused it. */
export async function useCommand(name: UserCommand, desk: Desk, round: number): Promise<boolean> {
  return commands[name](desk, round).then(
    () => true,
    () => false,
  )
}

function userLine(round: number): string {
  return `by the user ${round}`
}

async function commitOnMain(main: TestRepository, round: number): Promise<void> {
  writeFileSync(join(main.path, 'main.txt'), `main ${round}\n`)
  await main.git('add', 'main.txt')
  await main.git('commit', '-q', '-m', `main ${round}`)
}

/** Ends what was begun and did not come to its end, because it met the agent or a conflict. */
export async function tidyUp({ worktree, main }: Desk): Promise<void> {
  await endBegun(main, 'main')
  await endBegun(worktree, branch)
  await popAll(worktree)
}

const begun: readonly (readonly [file: string, ...end: readonly string[]])[] = [
  ['rebase-merge', 'rebase', '--abort'],
  ['rebase-apply', 'rebase', '--abort'],
  ['MERGE_HEAD', 'merge', '--abort'],
  ['CHERRY_PICK_HEAD', 'cherry-pick', '--abort'],
]

async function endBegun({ path, git }: TestRepository, home: string): Promise<void> {
  for (let attempt = 0; attempt < 50 && existsSync(join(path, '.git')); attempt += 1) {
    const gitDir = await git('rev-parse', '--absolute-git-dir').catch(() => '')
    if (gitDir === '') return
    const open = begun.find(([file]) => existsSync(join(gitDir, file)))
    const isHome = readFileSync(join(gitDir, 'HEAD'), 'utf8') === `ref: refs/heads/${home}\n`
    if (open === undefined && isHome) return
    const end = open?.slice(1) ?? ['checkout', '-q', home]
    // What cannot be undone any more is given up.
    if (attempt > 10) await git('reset', '-q', '--hard').catch(() => undefined)
    // A rebase that found the index locked once its autostash was made knows no way back; git says to remove this.
    const rebase = join(gitDir, 'rebase-merge')
    if (attempt > 20 && existsSync(rebase) && !existsSync(join(rebase, 'head-name'))) {
      rmSync(rebase, { recursive: true })
    }
    await git(...end).catch(() => undefined)
    await sleep(5)
  }
}

/**
 * A stash whose pop found the index locked is popped when it is free. A stash made while the branch moved may hold
 * what the agent wrote, too; where that no longer fits the person gives it up.
 */
async function popAll(worktree: TestRepository): Promise<void> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    if ((await worktree.git('stash', 'list').catch(() => '')) === '') return
    const isPopped = await worktree.git('stash', 'pop', '-q').then(
      () => true,
      () => false,
    )
    const unmerged = worktree.git('ls-files', '--unmerged').catch(() => '')
    const isConflict = !isPopped && (await unmerged) !== ''
    if (isConflict) await worktree.git('reset', '-q', '--hard').catch(() => undefined)
    if (isConflict && (await worktree.git('ls-files', '--unmerged').catch(() => 'x')) === '')
      await worktree.git('stash', 'drop', '-q').catch(() => undefined)
    await sleep(5)
  }
}
