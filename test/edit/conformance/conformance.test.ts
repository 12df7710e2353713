import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { staleDecisions, undecided } from '../../../scripts/conformance/check-decisions.mjs'
import { decisionsTable } from '../../../scripts/conformance/decisions-table.mjs'
import { families } from '../../../scripts/conformance/families.mjs'
import { readCases, readFailures } from '../../../scripts/conformance/read-cases.mjs'
import { readDecisions } from '../../../scripts/conformance/read-decisions.mjs'
import { scoreCases } from '../../../scripts/conformance/run-case.mjs'
import type { Case, Decision, Outcome, Scored } from '../../../scripts/conformance/types.mjs'
import { corpusPath } from '../../support/corpora.js'

const here = import.meta.dirname
const decisions = readDecisions(here)
const corpora = corpusPath('edit')

function named(scored: readonly Scored[], verdict: Scored['verdict']): readonly string[] {
  return scored.filter(one => one.verdict === verdict).map(one => `${one.family} ${one.one.id}`)
}

test('what users reported is done right or refused', async () => {
  const reported = readFailures(join(here, 'cases/failures.jsonl'))
  const scored = await scoreCases(reported, families, decisions)
  const done = new Set(scored.filter(({ verdict }) => verdict === 'pass').map(({ one }) => one.id))
  console.log(`${done.size} of ${reported.length} reported cases pass`)
  expect(named(scored, 'DAMAGE')).toEqual([])
  expect(named(scored, 'refused')).toEqual([])
  expect(done.size).toBe(reported.length)
})

test.skipIf(!existsSync(corpora))(
  'the tests of the peers come out as decided',
  async () => {
    const cases = readCases(corpora)
    const scored = await scoreCases(cases, families, decisions)
    console.log(`${scored.length} cases, ${named(scored, 'pass').length} pass`)
    expect(new Set(scored.map(({ one }) => one)).size).toBe(cases.length)
    expect(named(scored, 'DAMAGE')).toEqual([])
    expect(named(scored, 'refused')).toEqual([])
    expect(undecided(scored)).toEqual([])
    expect(staleDecisions(scored, decisions)).toEqual([])
  },
  120_000,
)

test('the table of the decisions is up to date', () => {
  const written = readFileSync(join(here, 'DECISIONS.md'), 'utf8')
  // `npm run conformance -- --write` writes it.
  expect(written).toBe(decisionsTable(decisions))
})

const text = (content: string): Outcome => ({
  after: new Map([['f.txt', new TextEncoder().encode(content)]]),
})
const one: Case = {
  id: 'a',
  peer: 'p',
  dialect: 'search_replace',
  before: text('x y\n').after ?? new Map(),
  mode: '100644',
  links: new Set(),
  edit: { old: 'x', new: 'z', all: false },
  patch: undefined,
  expect: {},
  policy: undefined,
  outcomes: [text('z y\n')],
}
const decided = (decision: Decision['decision']): Decision => ({
  dialect: 'search_replace',
  id: 'a',
  decision,
  why: '',
})

test.each<[string, Partial<Case>, Decision | undefined, string, number]>([
  ['what comes out right passes', {}, undefined, 'pass', 0],
  ['a wrong tree is damage', { outcomes: [text('w')] }, undefined, 'DAMAGE', 0],
  ['so is what should be refused', { outcomes: [{ refused: true }] }, undefined, 'DAMAGE', 0],
  ['what is refused is no damage', { edit: { old: 'w', new: 'z' } }, undefined, 'refused', 0],
  ['a decision that is not so is stale', {}, decided('refuse'), 'DAMAGE', 1],
  ['and one that says what the case says', {}, decided('as_peer'), 'pass', 1],
  ['and one about another case', { id: 'b' }, decided('refuse'), 'pass', 1],
  ['one about a choice is not', { policy: 'a choice' }, decided('as_peer'), 'pass', 0],
])('%s', async (_, change, decision, verdict, stale) => {
  const known = new Map(decision === undefined ? [] : [[decision.id, decision]])
  const own = families.filter(({ name }) => name === 'search_replace')
  const scored = await scoreCases([{ ...one, ...change }], own, known)
  expect(scored.map(({ verdict }) => verdict)).toEqual([verdict])
  expect(staleDecisions(scored, known)).toHaveLength(stale)
})

test('a choice without a decision is told', async () => {
  const scored = await scoreCases([{ ...one, policy: 'a choice' }], families, new Map())
  expect(undecided(scored).map(({ one }) => one.id)).toEqual(['a'])
})
