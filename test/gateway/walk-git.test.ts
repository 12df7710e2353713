import { expect, test } from 'vitest'
import { findBatches } from '../support/crash/branch-moves.js'
import { openServed } from '../support/crash/shared-worktree.js'
import { allCommands } from '../support/crash/user-commands.js'
import { append, expectSound, reopen, runBeside } from '../support/crash/user-git.js'

const seed = Number(process.env.EDITLATCH_SEED ?? Date.now() % 1_000_000)
const ms = Number(process.env.EDITLATCH_WALK_MS ?? 12_000)

test(
  'CONC-1: whatever the user does with git beside batches, none that was acknowledged is lost',
  async () => {
    const { client, desk } = await openServed({ 'agent.txt': 'start\n', 'user.txt': 'user\n' })
    await desk.main.git('branch', 'other')
    const report = await runBeside(client, desk, { seed, ms, commands: allCommands })
    const { acknowledged, refusals, user } = report
    const found = await findBatches(desk, report)
    console.log(`seed ${seed}: ${acknowledged.length} batches`, found, refusals, user)
    expect(found).toMatchObject({ lost: [], backward: [] })
    await expectSound(desk, report)
    await reopen(client, desk)
    await reopen(client, desk)
    expect(await append(client, 'the last')).toHaveProperty('commit')
    expect(acknowledged.length).toBeGreaterThan(5)
  },
  ms + 60_000,
)
