import { expect, test } from 'vitest'
import { failureCases, type HashlineCase, peerCases } from '../../support/hashline-cases.js'
import { refusal } from '../sandbox.js'
import { editHashline, said, tryHashline } from './hashline-sandbox.js'

/** Why is told beside our other decisions, in test/edit/conformance. */
const exceptions = ['0273-hash-only-ambiguous-checkpoint']

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
  expect(score).toMatchObject({ refused: exceptions, DAMAGE: [] })
  expect(cases.length).toBe(250)
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
