import { expect, test } from 'vitest'
import { fuzzApi, neverDone, renderCounts } from './fuzz-api.js'

test('whatever is sent: nothing fails, every answer is documented, and what is refused or read changes nothing', async () => {
  const seed = 20_260_101
  const outcome = await fuzzApi(seed, 200)
  console.log(renderCounts(outcome, seed))
  expect(outcome.problems).toEqual([])
  expect(neverDone(outcome)).toEqual([])
})
