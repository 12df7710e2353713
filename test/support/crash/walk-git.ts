import { expect } from 'vitest'
import { findBatches } from './branch-moves.js'
import { openServed } from './shared-worktree.js'
import { append, type Beside, expectSound, reopen, runBeside } from './user-git.js'

/**
 * Walks at random through what a person can do with git beside an agent on a server. Answers are what they should be,
 * what was acknowledged is kept, and afterwards the agent works as before.
 */
export async function walkBeside(name: string, beside: Beside): Promise<void> {
  const { client, desk } = await openServed({ 'agent.txt': 'start\n', 'user.txt': 'user\n' })
  await desk.main.git('branch', 'other')
  const report = await runBeside(client, desk, beside)
  const { acknowledged, refusals, user } = report
  const found = await findBatches(desk, report)
  const counts = { 201: acknowledged.length, ...refusals }
  console.log(`${name}, seed ${beside.seed}, answers`, counts, 'batches', found, 'user', user)
  expect(found).toMatchObject({ lost: [], backward: [], denied: [] })
  await expectSound(desk, report)
  // The directory may have been given up, and then the registration repaired.
  for (let attempt = 0; attempt < 3; attempt += 1) await reopen(client, desk)
  expect(await append(client, 'the last')).toEqual({ commit: expect.any(String) })
  expect(acknowledged.length).toBeGreaterThan(beside.ms / 3_000)
}
