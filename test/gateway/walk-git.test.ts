import { test } from 'vitest'
import { allCommands } from '../support/crash/user-commands.js'
import { walkBeside } from '../support/crash/walk-git.js'

const seed = Number(process.env.EDITLATCH_SEED ?? Date.now() % 1_000_000)

test('CONC-1: whatever the user does with git beside batches, none that was acknowledged is lost', async () => {
  await walkBeside('everything', { seed, ms: 8_000, commands: allCommands })
})
