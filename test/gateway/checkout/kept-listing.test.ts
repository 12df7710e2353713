import { expect, test } from 'vitest'
import { compareWithGit } from '../../support/fresh-listing.js'

const seed = Number(process.env.EDITLATCH_SEED ?? Date.now() % 1_000_000)

test('no list of files is stale, whatever changes behind our back', async () => {
  const { answers, kept } = await compareWithGit(seed, 40)
  console.log(`seed ${seed}: ${answers} answers compared, ${kept} lists kept`)
  expect(answers).toBeGreaterThanOrEqual(80)
  expect(kept).toBeGreaterThan(0)
}, 60_000)
