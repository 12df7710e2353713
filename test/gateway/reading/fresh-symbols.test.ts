import { expect, test } from 'vitest'
import { compareWithFresh } from '../../support/fresh-symbols.js'

const seed = Number(process.env.EDITLATCH_SEED ?? Date.now() % 1_000_000)

test('no answer on symbols is stale, whatever changes behind our back', async () => {
  const sizes = { seed, files: 40, switches: 2, bursts: 3, directories: 5, compared: 30 }
  const compared = await compareWithFresh(sizes)
  console.log(`seed ${seed}: ${compared} answers compared`)
  expect(compared).toBeGreaterThan(90)
})
