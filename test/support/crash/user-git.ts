import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { type Random, seededRandom } from '../random.js'
import type { TestRepository } from '../repository.js'
import type { Client } from './clients.js'

/** What a person does with git in the agent's worktree; a git that finds a lock taken just fails. */
const commands = {
  commit: async (worktree, round) => {
    writeFileSync(join(worktree.path, `user-${round % 5}.txt`), `commit ${round}\n`)
    await worktree.git('add', '-A')
    await worktree.git('commit', '-q', '-m', `user ${round}`)
  },
  'commit -a': async (worktree, round) => {
    writeFileSync(join(worktree.path, 'user.txt'), `commit -a ${round}\n`)
    await worktree.git('commit', '-q', '-a', '-m', `user ${round}`)
  },
  status: async worktree => {
    await worktree.git('status', '--porcelain')
  },
  stash: async (worktree, round) => {
    writeFileSync(join(worktree.path, 'user.txt'), `stash ${round}\n`)
    await worktree.git('stash', '-q')
    await worktree.git('stash', 'pop', '-q')
  },
  gc: async worktree => {
    await worktree.git('gc', '-q', '--prune=now')
  },
  branch: async worktree => {
    await worktree.git('branch', '-f', 'other', 'HEAD')
  },
  'reset --soft': async worktree => {
    await worktree.git('reset', '-q', '--soft', 'HEAD~1')
  },
  'reset --hard': async worktree => {
    await worktree.git('reset', '-q', '--hard', 'HEAD~1')
  },
  tag: async worktree => {
    await worktree.git('tag', '-f', 'moving')
  },
} as const satisfies Record<string, (worktree: TestRepository, round: number) => Promise<void>>

export type UserCommand = keyof typeof commands

export interface Beside {
  readonly seed: number
  readonly ms: number
  readonly commands: readonly UserCommand[]
}

export interface BesideReport {
  /** Lines whose batch was acknowledged, with its commit. */
  readonly acknowledged: readonly (readonly [line: string, commit: string])[]
  /** How often each refusal came. */
  readonly refusals: Readonly<Record<string, number>>
  /** How often each command was done, and how often git itself refused it. */
  readonly user: Readonly<Record<string, { done: number; failed: number }>>
}

/** Lets an agent append lines to one file while a person uses git in the same worktree. */
export async function runBeside(
  client: Client,
  worktree: TestRepository,
  { seed, ms, commands: allowed }: Beside,
): Promise<BesideReport> {
  const acknowledged: (readonly [string, string])[] = []
  const refusals: Record<string, number> = {}
  const until = performance.now() + ms
  const pauses = seededRandom(seed + 1)
  const isOver = (): boolean => performance.now() > until
  const agent = async (): Promise<void> => {
    for (let number = 0; !isOver(); number += 1) {
      const text = `line ${number}`
      const outcome = await append(client, text)
      if ('commit' in outcome) acknowledged.push([text, outcome.commit])
      else refusals[outcome.refused] = (refusals[outcome.refused] ?? 0) + 1
      await sleep(pauses.int(0, 150))
    }
  }
  const [user] = await Promise.all([useGit(worktree, seededRandom(seed), allowed, isOver), agent()])
  return { acknowledged, refusals, user }
}

async function append(
  client: Client,
  text: string,
): Promise<{ readonly commit: string } | { readonly refused: string }> {
  const path = 'agent.txt'
  const read = await client.read(path).catch(error => ({ refused: nameOf(error) }))
  if ('refused' in read) return { refused: `read: ${read.refused}` }
  const outcome = await client.apply([{ op: 'append_lines', path, expected_rev: read.rev, text }])
  if ('receipt' in outcome) return { commit: outcome.receipt.commit ?? '' }
  const { status, code, reason = '' } = outcome.refused
  return { refused: `${status} ${code} ${reason}`.trim() }
}

function nameOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}

async function useGit(
  worktree: TestRepository,
  random: Random,
  allowed: readonly UserCommand[],
  isOver: () => boolean,
): Promise<BesideReport['user']> {
  const counts: Record<string, { done: number; failed: number }> = {}
  for (let round = 0; !isOver(); round += 1) {
    const name = random.pick(allowed)
    const count = counts[name] ?? { done: 0, failed: 0 }
    counts[name] = count
    await commands[name](worktree, round).then(
      () => {
        count.done += 1
      },
      () => {
        count.failed += 1
      },
    )
    await popAll(worktree)
    await sleep(random.int(0, 20))
  }
  return counts
}

/** Expects every acknowledged batch in the history and in the file. */
export async function expectAllInHistory(
  worktree: TestRepository,
  { acknowledged }: BesideReport,
): Promise<void> {
  const history = new Set((await worktree.git('rev-list', 'HEAD')).split('\n'))
  expect(acknowledged.filter(([, commit]) => !history.has(commit))).toEqual([])
  const text = await worktree.git('show', 'HEAD:agent.txt')
  expect(text.split('\n')).toEqual(['start', ...acknowledged.map(([line]) => line)])
}

/** Expects every acknowledged batch where a person's own reset leaves it: reachable from the reflog. */
export async function expectAllInReflog(
  worktree: TestRepository,
  { acknowledged }: BesideReport,
): Promise<void> {
  const known = new Set((await worktree.git('rev-list', '--reflog', 'HEAD')).split('\n'))
  expect(acknowledged.filter(([, commit]) => !known.has(commit))).toEqual([])
}

/** Expects that batches were refused for what git did alone, and sound objects. */
export async function expectSound(
  worktree: TestRepository,
  { refusals }: BesideReport,
): Promise<void> {
  expect(Object.keys(refusals).filter(refusal => !/^(409|410|423) /.test(refusal))).toEqual([])
  const { stdout } = await execute(
    'sh',
    ['-c', 'git fsck --no-dangling --no-progress 2>&1; true'],
    {
      cwd: worktree.path,
    },
  )
  expect(stdout).toBe('')
}

const execute = promisify(execFile)

/**
 * A stash whose pop found the index locked is popped when it is free. A stash made while the branch moved may hold
 * what the agent wrote, too; where that no longer fits the person gives it up.
 */
async function popAll(worktree: TestRepository): Promise<void> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    if ((await worktree.git('stash', 'list')) === '') return
    const isPopped = await worktree.git('stash', 'pop', '-q').then(
      () => true,
      () => false,
    )
    const isConflict = !isPopped && (await worktree.git('ls-files', '--unmerged')) !== ''
    if (isConflict) await worktree.git('reset', '-q', '--hard').catch(() => undefined)
    if (isConflict && (await worktree.git('ls-files', '--unmerged')) === '')
      await worktree.git('stash', 'drop', '-q')
    await sleep(5)
  }
}
