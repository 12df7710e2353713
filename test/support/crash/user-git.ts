import { execFile } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { Refusal } from '#src/core/errors.js'
import { type Random, seededRandom } from '../random.js'
import type { Client } from './clients.js'
import { type Desk, tidyUp, type UserCommand, useCommand } from './user-commands.js'

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

/** Lets an agent append lines to one file while a person uses git in the same worktree and in the main checkout. */
export async function runBeside(
  client: Client,
  desk: Desk,
  { seed, ms, commands }: Beside,
): Promise<BesideReport> {
  const acknowledged: (readonly [string, string])[] = []
  const refusals: Record<string, number> = {}
  const until = performance.now() + ms
  const pauses = seededRandom(seed + 1)
  const isTime = (): boolean => performance.now() > until
  let isOver = false
  const person = useGit(desk, seededRandom(seed), commands, isTime).finally(() => {
    isOver = true
  })
  const agent = async (): Promise<void> => {
    for (let number = 0; !isOver; number += 1) {
      const text = `line ${number}`
      const outcome = await append(client, text)
      if ('commit' in outcome) acknowledged.push([text, outcome.commit])
      else refusals[outcome.refused] = (refusals[outcome.refused] ?? 0) + 1
      if ('refused' in outcome && outcome.refused.includes('410')) await reopen(client, desk)
      await sleep(pauses.int(0, 150))
    }
  }
  const [user] = await Promise.all([person, agent()])
  return { acknowledged, refusals, user }
}

/** Sends one batch; what is no receipt is told as `STATUS CODE reason`. */
export async function append(
  client: Client,
  text: string,
): Promise<{ readonly commit: string } | { readonly refused: string }> {
  const path = 'agent.txt'
  const read = await client.read(path).catch(error => ({ refused: `read ${told(toldBy(error))}` }))
  if ('refused' in read) return read
  const outcome = await client.apply([{ op: 'append_lines', path, expected_rev: read.rev, text }])
  if ('receipt' in outcome) return { commit: outcome.receipt.commit ?? '' }
  return { refused: told(outcome.refused) }
}

type Told = Readonly<Record<string, unknown>>

function told({ status, code, reason = '' }: Told): string {
  return `${status} ${code} ${reason}`.trim()
}

/** What the error of a read says, be it a refusal itself or its JSON from another process. */
function toldBy(error: unknown): Told {
  if (!(error instanceof Error)) throw error
  return error instanceof Refusal ? error.toJSON() : JSON.parse(error.message)
}

/** An agent whose worktree is gone opens it again; where a repair is told first, a person does that. */
export async function reopen(client: Client, { main, worktree }: Desk): Promise<void> {
  const { refused } = await client.reopen()
  const command = /`([^`]+)`/.exec(String(refused?.repair))?.[1]
  if (command !== undefined)
    await execute('sh', ['-c', command], { cwd: main.path }).catch(() => {})
  // Git gives up a directory in which something appears while it removes it.
  const isLeft = refused?.code === 'PATH_EXISTS' && !existsSync(join(worktree.path, '.git'))
  if (isLeft) rmSync(worktree.path, { recursive: true })
}

/** Every command once in a random order, and again until it is time. */
async function useGit(
  desk: Desk,
  random: Random,
  allowed: readonly UserCommand[],
  isTime: () => boolean,
): Promise<BesideReport['user']> {
  const counts: Record<string, { done: number; failed: number }> = {}
  const left: UserCommand[] = []
  for (let round = 0; round < allowed.length || !isTime(); round += 1) {
    if (left.length === 0) left.push(...allowed)
    const name = random.pick(left)
    left.splice(left.indexOf(name), 1)
    const count = counts[name] ?? { done: 0, failed: 0 }
    counts[name] = count
    if (await useCommand(name, desk, round)) count.done += 1
    else count.failed += 1
    await tidyUp(desk)
    await sleep(random.int(0, 20))
  }
  return counts
}

/** Expects every acknowledged batch in the history and in the file. */
export async function expectAllInHistory(
  { worktree }: Desk,
  { acknowledged }: BesideReport,
): Promise<void> {
  const history = new Set((await worktree.git('rev-list', 'HEAD')).split('\n'))
  expect(acknowledged.filter(([, commit]) => !history.has(commit))).toEqual([])
  const text = await worktree.git('show', 'HEAD:agent.txt')
  expect(text.split('\n')).toEqual(['start', ...acknowledged.map(([line]) => line)])
}

/** Expects every acknowledged batch where a person's own reset leaves it: reachable from the reflog. */
export async function expectAllInReflog(
  { worktree }: Desk,
  { acknowledged }: BesideReport,
): Promise<void> {
  const known = new Set((await worktree.git('rev-list', '--reflog', 'HEAD')).split('\n'))
  expect(acknowledged.filter(([, commit]) => !known.has(commit))).toEqual([])
}

/** A file that git is just writing or removing is not there for a moment. */
const expected = /^(409|410|423|read (404 FILE_NOT_FOUND|410|423)) ?/

/** Expects that batches were refused for what git did alone, and sound objects. */
export async function expectSound({ main }: Desk, { refusals }: BesideReport): Promise<void> {
  expect(Object.keys(refusals).filter(refusal => !expected.test(refusal))).toEqual([])
  const look = 'git fsck --no-dangling --no-progress 2>&1; true'
  const { stdout } = await execute('sh', ['-c', look], { cwd: main.path })
  expect(stdout).toBe('')
}

const execute = promisify(execFile)
