import { expect, test } from 'vitest'
import { openElsewhere, openHere } from '../support/crash/clients.js'
import { deskOf, makePlaces } from '../support/crash/shared-worktree.js'
import type { Desk, UserCommand } from '../support/crash/user-commands.js'
import {
  type BesideReport,
  expectAllInHistory,
  expectAllInReflog,
  expectSound,
  runBeside,
} from '../support/crash/user-git.js'

const seed = Number(process.env.EDITLATCH_SEED ?? Date.now() % 1_000_000)
const quiet: readonly UserCommand[] = ['commit', 'commit -a', 'status', 'stash', 'branch', 'tag']

type Check = (desk: Desk, report: BesideReport) => Promise<void>

test.each<[string, readonly UserCommand[], Check]>([
  ['everything but reset', [...quiet, 'gc'], expectAllInHistory],
  ['gc --prune=now alone', ['gc'], expectAllInHistory],
  ['reset too', [...quiet, 'gc', 'reset --soft', 'reset --hard'], expectAllInReflog],
])(
  "CONC-1: the user's own git beside batches for a minute: %s",
  async (name, commands, expectAll) => {
    const places = await makePlaces({ 'agent.txt': 'start\n', 'user.txt': 'user\n' })
    await (await openHere(places, 'dora')).close()
    const client = await openElsewhere(places, 'dora')
    const desk = await deskOf(places)
    const report = await runBeside(client, desk, { seed, ms: 60_000, commands })
    const { acknowledged, refusals, user } = report
    console.log(`${name}, seed ${seed}: ${acknowledged.length} batches`, refusals, user)
    await expectAll(desk, report)
    await expectSound(desk, report)
    expect(acknowledged.length).toBeGreaterThan(50)
  },
  180_000,
)
