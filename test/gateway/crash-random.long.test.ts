import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Client, openElsewhere } from '../support/crash/clients.js'
import { findLeftovers, makeCrashWorld } from '../support/crash/crash-world.js'
import { look } from '../support/crash/look.js'
import { seededRandom } from '../support/random.js'

const rounds = 200
const seed = Number(process.env.EDITLATCH_SEED ?? Date.now() % 1_000_000)

test(`CRASH-1: what was acknowledged survives ${rounds} kills at any time`, async () => {
  const random = seededRandom(seed)
  const world = await makeCrashWorld({ 'log.txt': 'start\n' }, 'process')
  const acknowledged: string[] = []
  for (let round = 0; round < rounds; round += 1) {
    const client = await openElsewhere(world.places, 'dora')
    const work = appendUntilKilled(client, round, acknowledged)
    await sleep(random.int(0, 200))
    await client.kill()
    await work

    const { gateway, worktree } = await world.open()
    await worktree.replace('log.txt', 'start', 'start')
    await gateway.close()
    const seen = await look(world, { fsck: round % 20 === 19 })
    const lines = seen.files['log.txt']?.split('\n') ?? []
    const lost = acknowledged.filter(line => !lines.includes(line))
    expect([round, seed, lost]).toEqual([round, seed, []])
    expect({ round, seed, ...seen }).toMatchObject({ status: '', index: 'head', fsck: '' })
  }
  console.log(`seed ${seed}: ${rounds} kills, ${acknowledged.length} batches acknowledged`)
  const { gateway, worktree } = await world.open()
  await worktree.replace('log.txt', 'start', 'end')
  await gateway.close()
  expect(findLeftovers(world)).toEqual([])
  expect(acknowledged.length).toBeGreaterThan(rounds)
}, 600_000)

async function appendUntilKilled(
  client: Client,
  round: number,
  acknowledged: string[],
): Promise<void> {
  for (let number = 0; ; number += 1) {
    const text = `${round}.${number}`
    try {
      const { rev } = await client.read('log.txt')
      const edit = { op: 'append_lines', path: 'log.txt', expected_rev: rev, text } as const
      const outcome = await client.apply([edit])
      expect(outcome).toHaveProperty('receipt')
      acknowledged.push(text)
    } catch (error) {
      if (String(error).includes('has ended')) return
      throw error
    }
  }
}
