import { describe, expect, test } from 'vitest'
import type { Client, Outcome } from '../support/crash/clients.js'
import { sharedWorktrees } from '../support/crash/shared-worktree.js'
import { expectClean } from '../support/gateway.js'

/** Each round asks for one revision, so fewer over HTTP show no less. */
const many = process.env.EDITLATCH_LONG === undefined ? 20 : 50
const roundsOf = (name: string): number => (name === 'two servers' ? 15 : many)
const batches = 8

describe.each(Object.entries(sharedWorktrees))('%s on one worktree', (name, share) => {
  const rounds = roundsOf(name)
  test(`CAS-2: of ${batches} batches on one revision one lands, ${rounds} times`, async () => {
    const { clients, worktree } = await share({ 'a.txt': 'start\n' })
    const started = performance.now()
    let landed = 0
    for (let round = 0; round < rounds; round += 1) {
      const { rev } = await clients[round % 2 === 0 ? 0 : 1].read('a.txt')
      const outcomes = await Promise.all(
        [...Array(batches).keys()].map(number =>
          replaceAll(clients[number % 2 === 0 ? 0 : 1], rev, `round ${round} batch ${number}\n`),
        ),
      )
      landed += outcomes.filter(outcome => 'receipt' in outcome).length
      const summaries = outcomes.map(summary).sort()
      expect([round, ...summaries]).toEqual([round, ...oneWinner(outcomes, rev)])
    }
    const ms = Math.round(performance.now() - started)
    const commits = Number(await worktree.git('rev-list', '--count', 'main..HEAD'))
    console.log(`${name}: ${landed} of ${rounds * batches} landed, ${commits} commits, ${ms} ms`)
    expect([landed, commits]).toEqual([rounds, rounds])
    await expectClean(worktree)
  }, 120_000)

  test('CONC-4: what both append to one file, each after reading it, is there once', async () => {
    const { clients, worktree } = await share({ 'log.txt': 'start\n' })
    const lines = clients.map((_, side) => [...Array(15).keys()].map(n => `side ${side} line ${n}`))
    const appended = clients.map(async (client, side) => {
      let conflicts = 0
      for (const line of lines[side] ?? []) conflicts += await appendUntilDone(client, line)
      return conflicts
    })
    const conflicts = await Promise.all(appended)
    console.log(`${name}: ${lines.flat().length} lines appended, conflicts ${conflicts.join(', ')}`)
    const text = await worktree.git('show', 'HEAD:log.txt')
    expect(text.split('\n').sort()).toEqual(['start', ...lines.flat()].sort())
    await expectClean(worktree)
  }, 120_000)

  test('CAS-5: the same batch under the same key sent to both lands once', async () => {
    const { clients, worktree } = await share({ 'a.txt': 'start\n' })
    const [left, right] = clients
    for (let round = 0; round < 8; round += 1) {
      const { rev } = await left.read('a.txt')
      const text = `round ${round}\n`
      const send = (client: Client) => replaceAll(client, rev, text, `key-${round}`)
      const first = await Promise.all([left, left, right, right].map(send))
      const commits = first.flatMap(outcome =>
        'receipt' in outcome ? [outcome.receipt.commit] : [],
      )
      const codes = first.flatMap(outcome => ('receipt' in outcome ? [] : [outcome.refused.code]))
      expect(new Set(commits).size).toBe(1)
      const allowed = ['KEY_IN_FLIGHT', 'CONTENT_REV_CONFLICT']
      expect(codes.filter(code => !allowed.includes(String(code)))).toEqual([])
      const again = await Promise.all(clients.map(send))
      const head = await worktree.git('rev-parse', 'HEAD')
      expect(again).toMatchObject([{ receipt: { commit: head } }, { receipt: { commit: head } }])
    }
    expect(await worktree.git('rev-list', '--count', 'main..HEAD')).toBe('8')
  }, 120_000)
})

function replaceAll(client: Client, rev: string, text: string, key?: string): Promise<Outcome> {
  return client.apply([{ op: 'write_file', path: 'a.txt', expected_rev: rev, text }], key)
}

/** Reads and edits until the edit lands; answers how often it did not. */
async function appendUntilDone(client: Client, text: string): Promise<number> {
  for (let conflicts = 0; ; conflicts += 1) {
    const { rev } = await client.read('log.txt')
    const edit = { op: 'append_lines', path: 'log.txt', expected_rev: rev, text } as const
    const outcome = await client.apply([edit])
    if ('receipt' in outcome) return conflicts
    expect(outcome.refused).toMatchObject({ code: 'CONTENT_REV_CONFLICT', status: 409 })
  }
}

function summary(outcome: Outcome): string {
  if ('receipt' in outcome) return 'landed'
  const { code, status, expected, actual } = outcome.refused
  return `${code} ${status} ${expected} ${actual}`
}

/** One landed, and all others learn its revision. */
function oneWinner(outcomes: readonly Outcome[], rev: string): readonly string[] {
  const winner = outcomes.find(outcome => 'receipt' in outcome)
  const actual = winner && 'receipt' in winner ? winner.receipt.files[0]?.after_rev : undefined
  const conflict = `CONTENT_REV_CONFLICT 409 ${rev} ${actual}`
  return [...Array(batches - 1).fill(conflict), 'landed']
}
