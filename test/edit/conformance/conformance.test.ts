import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { families } from '../../../scripts/conformance/families.mjs'
import { readCases, readFailures } from '../../../scripts/conformance/read-cases.mjs'
import { readDecisions } from '../../../scripts/conformance/read-decisions.mjs'
import { runCase } from '../../../scripts/conformance/run-case.mjs'
import type { Case, Scored } from '../../../scripts/conformance/types.mjs'

const here = import.meta.dirname
const decisions = readDecisions(here)
const corpora = join(
  process.env.EDITLATCH_CORPORA ?? join(here, '../../../../shared/corpora'),
  'edit',
)

async function score(cases: readonly Case[]): Promise<readonly Scored[]> {
  const scored: Scored[] = []
  for (const family of families) {
    for (const one of cases.filter(family.takes)) {
      scored.push(await runCase(one, family, decisions.get(one.id)))
    }
  }
  return scored
}

function named(scored: readonly Scored[], verdict: Scored['verdict']): readonly string[] {
  return scored.filter(one => one.verdict === verdict).map(one => `${one.family} ${one.one.id}`)
}

test('what users reported is done right or refused', async () => {
  const scored = await score(readFailures(join(here, 'cases/failures.jsonl')))
  console.log(`${scored.length} cases, ${named(scored, 'pass').length} pass`)
  expect(named(scored, 'DAMAGE')).toEqual([])
  expect(named(scored, 'refused').length).toBeLessThanOrEqual(2)
})

test.skipIf(!existsSync(corpora))('the tests of the peers come out as decided', async () => {
  const scored = await score(readCases(corpora))
  console.log(`${scored.length} cases, ${named(scored, 'pass').length} pass`)
  expect(named(scored, 'DAMAGE')).toEqual([])
  expect(named(scored, 'refused').length).toBeLessThanOrEqual(2)
  const undecided = scored.filter(({ one, decision, verdict }) => {
    return one.policy !== undefined && decision === undefined && verdict !== 'not an edit'
  })
  expect(undecided.map(({ one }) => one.id)).toEqual([])
})
