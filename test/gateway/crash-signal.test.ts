import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { kill } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Served, serve } from '../faces/cli/run.js'
import { expectClean } from '../support/gateway.js'
import { makeRepository, type TestRepository, testRepository } from '../support/repository.js'

const agents = ['dora', 'emil']
const lanes = 3
const rounds = 2

interface Agent {
  readonly name: string
  readonly token: string
  readonly worktree: TestRepository
}

/** A batch that was sent: its key, its body, and the commit if it was answered. */
interface Sent {
  readonly key: string
  readonly body: string
  readonly commit: string | undefined
  /** True where the answer came after the signal. */
  readonly late: boolean
}

test('SIGTERM: batches in flight are finished or never begun, no child and no lock is left', async () => {
  const repository = await makeRepository({ 'a.txt': 'start\n' })
  const known = new Map<string, Agent>()
  let [answered, unanswered, late, children] = [0, 0, 0, 0]
  for (let round = 0; round < rounds; round += 1) {
    const served = await serve([
      '--durability',
      round % 2 === 0 ? 'power' : 'process',
      repository.path,
    ])
    for (const name of agents) known.set(name, await open(served, name))
    const all = [...known.values()]
    const signal = { sent: false, answers: 0 }
    const work = all.map(agent => sendUntilGone(served, agent, round, signal))
    while (signal.answers < lanes * agents.length) await sleep(5)
    const family = descendantsOf(served.pid)
    signal.sent = true
    expect(await served.stop()).toBe(0)
    const sent = await Promise.all(work)
    expect(family.filter(isAlive)).toEqual([])
    children += family.length

    const next = await serve([repository.path])
    for (const [index, agent] of all.entries()) {
      expect(
        existsSync(join(await agent.worktree.git('rev-parse', '--absolute-git-dir'), 'index.lock')),
      ).toBe(false)
      for (const batch of sent[index] ?? []) {
        if (batch.commit === undefined) unanswered += 1
        else answered += 1
        if (batch.late) late += 1
        const again = await send(next, agent, batch)
        if (batch.commit !== undefined) expect(again).toBe(batch.commit)
      }
      await expectOnce(agent, sent[index] ?? [])
      await expectClean(agent.worktree)
    }
    expect(await next.stop()).toBe(0)
  }
  console.log(
    `SIGTERM: ${answered} batches answered, ${late} of them late, ${unanswered} not; ${children} children ended`,
  )
  expect([answered > 0, unanswered > 0, children > 0]).toEqual([true, true, true])
  // The batch in flight and one or two more on the same connection, not hundreds until the deadline.
  expect(late).toBeLessThanOrEqual(4 * lanes * agents.length * rounds)
}, 120_000)

async function open(served: Served, name: string): Promise<Agent> {
  const answer = await post(served, '/v1/worktrees', served.token, JSON.stringify({ agent: name }))
  const { token, path } = JSON.parse(answer)
  return { name, token, worktree: testRepository(path) }
}

/** Sends new files, several at a time, until the server is gone. */
async function sendUntilGone(
  served: Served,
  agent: Agent,
  round: number,
  signal: { readonly sent: boolean; answers: number },
): Promise<readonly Sent[]> {
  const sent: Sent[] = []
  const sendOn = async (lane: number): Promise<void> => {
    for (let number = 0; ; number += 1) {
      const key = `${round}-${lane}-${number}`
      const edit = { op: 'write_file', path: `${key}.txt`, expected_rev: null, text: `${key}\n` }
      const body = JSON.stringify({ edits: [edit] })
      const commit = await send(served, agent, { key, body }).catch(() => undefined)
      signal.answers += 1
      sent.push({ key, body, commit, late: commit !== undefined && signal.sent })
      if (commit === undefined) return
    }
  }
  await Promise.all([...Array(lanes).keys()].map(sendOn))
  return sent
}

async function send(
  served: Served,
  { name, token }: Agent,
  batch: Pick<Sent, 'key' | 'body'>,
): Promise<string> {
  const path = `/v1/worktrees/${name}/batches`
  return JSON.parse(await post(served, path, token, batch.body, batch.key)).commit
}

async function post(
  { url }: Served,
  path: string,
  token: string,
  body: string,
  key?: string,
): Promise<string> {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    ...(key !== undefined && { 'idempotency-key': key }),
  }
  const response = await fetch(url + path, { method: 'POST', headers, body })
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return text
}

async function expectOnce({ worktree }: Agent, sent: readonly Sent[]): Promise<void> {
  const log = await worktree.git(
    'log',
    '--format=%(trailers:key=Editlatch-Key,valueonly)',
    'main..HEAD',
  )
  const keys = log.split('\n').flatMap(line => line.split(' ')[0] || [])
  const counts = sent.map(({ key }) => [key, keys.filter(one => one === key).length])
  expect(counts).toEqual(sent.map(({ key }) => [key, 1]))
}

function descendantsOf(pid: number): readonly number[] {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
  const pairs = table
    .trim()
    .split('\n')
    .map(line => line.trim().split(/\s+/).map(Number))
  const childrenOf = (parent: number): readonly number[] =>
    pairs.flatMap(([child = 0, ppid]) => (ppid === parent ? [child, ...childrenOf(child)] : []))
  return childrenOf(pid)
}

function isAlive(pid: number): boolean {
  try {
    return kill(pid, 0)
  } catch {
    return false
  }
}
