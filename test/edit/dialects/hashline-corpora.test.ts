import { expect, test } from 'vitest'
import { failureCases, type HashlineCase, peerCases } from '../../support/hashline-cases.js'
import { refusal } from '../sandbox.js'
import { hashlineDecisions, hashlineExceptions } from './hashline-decisions.js'
import { editHashline, said, tryHashline } from './hashline-sandbox.js'

interface Score {
  readonly pass: readonly string[]
  readonly refused: readonly string[]
  readonly DAMAGE: readonly string[]
}

test('every binding case of the peer comes out as it should, but for those that are argued', async context => {
  const cases = peerCases().filter(({ policy }) => policy === undefined)
  if (cases.length === 0) return context.skip()
  const score = await play(cases)
  print('peer, binding', cases, score)
  expect(score).toMatchObject({ refused: hashlineExceptions.map(({ id }) => id), DAMAGE: [] })
  expect(cases.length).toBe(250)
})

test('what is a matter of choice is as the table says', async context => {
  const cases = peerCases().filter(({ policy }) => policy !== undefined)
  if (cases.length === 0) return context.skip()
  const decided = await Promise.all(
    cases.map(async one => {
      const done = await tryHashline(one)
      return { policy: one.policy, scheme: one.scheme, outcome: outcomeOf(one, done) }
    }),
  )
  const known = cases.map(({ policy, scheme }) => ({
    policy,
    scheme,
    outcome: hashlineDecisions.find(one => one.policy === policy)?.ours,
  }))
  const alike = decided.filter(({ outcome }) => outcome === 'as the peer').length
  console.log(`peer, policy: ${alike} of ${cases.length} as the peer, the others as decided`)
  expect(decided).toEqual(known)
  expect(new Set(known.map(({ policy }) => policy)).size).toBe(hashlineDecisions.length)
})

test('no edit that users saw go wrong does damage', async context => {
  const cases = failureCases()
  if (cases.length === 0) return context.skip()
  const score = await play(cases)
  print('failures', cases, score)
  expect(score).toMatchObject({ refused: [], DAMAGE: [] })
  expect(cases.length).toBe(5)
})

test('where the peer tells a fresh anchor we tell the same one', async context => {
  const cases = peerCases().filter(({ shifted }) => shifted !== undefined)
  if (cases.length === 0) return context.skip()
  const told = await Promise.all(
    cases.map(one => refusal(() => editHashline(one.before, said(one), one.scheme))),
  )
  console.log(`fresh anchors: ${cases.length}`)
  expect(told.map(({ shifted_to }) => shifted_to)).toEqual(cases.map(({ shifted }) => shifted))
})

async function play(cases: readonly HashlineCase[]): Promise<Score> {
  const done = await Promise.all(cases.map(one => tryHashline(one)))
  const idsOf = (wanted: string): readonly string[] =>
    cases.flatMap((one, index) => (scoreOf(one, done[index]) === wanted ? [one.id] : []))
  return { pass: idsOf('pass'), refused: idsOf('refused'), DAMAGE: idsOf('DAMAGE') }
}

function scoreOf({ right }: HashlineCase, done: Uint8Array | undefined): string {
  if (right.some(outcome => isSame(outcome, done))) return 'pass'
  return done === undefined ? 'refused' : 'DAMAGE'
}

function outcomeOf(one: HashlineCase, done: Uint8Array | undefined): string {
  if (scoreOf(one, done) === 'pass') return 'as the peer'
  return done === undefined ? 'refused' : JSON.stringify(new TextDecoder().decode(done))
}

function isSame(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  if (one === undefined || other === undefined) return one === other
  return Buffer.compare(one, other) === 0
}

function print(
  name: string,
  cases: readonly HashlineCase[],
  { pass, refused, DAMAGE }: Score,
): void {
  const counts = `pass ${pass.length}, refused ${refused.length}, DAMAGE ${DAMAGE.length}`
  console.log(`hashline, ${name}: ${counts} of ${cases.length}`)
}
