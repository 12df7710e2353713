import { expect, test } from 'vitest'
import { fuzzApi, neverDone, renderCounts } from './fuzz-api.js'

/** Another one each time; `EDITLATCH_SEED` repeats one. */
const seed = Number(process.env.EDITLATCH_SEED ?? Math.floor(Math.random() * 2 ** 31))

test('2,000 requests: nothing fails, every answer is documented, and what is refused or read changes nothing', async () => {
  const outcome = await fuzzApi(seed, 2_000)
  console.log(renderCounts(outcome, seed))
  expect(outcome.problems).toEqual([])
  expect(neverDone(outcome)).toEqual([])
})
