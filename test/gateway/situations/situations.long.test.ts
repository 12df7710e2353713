import { afterAll, describe, expect, test } from 'vitest'
import { conversions } from './conversions.js'
import { indexes } from './indexes.js'
import { partialClones } from './partial-clones.js'
import { paths } from './paths.js'
import { repositories } from './repositories.js'
import { goThrough, type Outcome, type Situation } from './situation.js'
import { states } from './states.js'

const groups: Readonly<Record<string, readonly Situation[]>> = {
  index: indexes,
  repository: repositories,
  'partial clone': partialClones,
  'by hand': states,
  path: paths,
  conversion: conversions,
}

const found: { group: string; situation: string; outcome: Outcome }[] = []

describe.each(Object.entries(groups))('%s', (group, situations) => {
  test.each(situations.map(one => [one.name, one] as const))(
    '%s',
    async (situation, one) => {
      const outcome = await goThrough(one)
      found.push({ group, situation, outcome })
      expect(outcome).toBe(one.outcome)
    },
    120_000,
  )
})

afterAll(() => {
  const all = Object.values(groups).flat()
  const names = all.map(({ name }) => name)
  const kindOf = (outcome: string): string => outcome.replace(/^refused .*/, 'refused')
  const counts: Record<string, number> = { handled: 0, 'falls back': 0, refused: 0 }
  for (const { outcome } of found) counts[kindOf(outcome)] = (counts[kindOf(outcome)] ?? 0) + 1
  console.log(
    found.map(one => `${one.outcome.padEnd(32)}${one.group}: ${one.situation}`).join('\n'),
  )
  console.log(`${all.length} situations:`, counts)
  expect(new Set(names).size, 'names are unique').toBe(all.length)
  expect(found.map(({ situation }) => situation).sort(), 'each has an outcome').toEqual(
    names.sort(),
  )
  expect(Object.values(counts).every(Boolean), 'each kind is there').toBe(true)
})
