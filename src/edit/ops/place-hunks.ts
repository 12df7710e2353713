import { Refusal, type RefusalCode } from '../../core/errors.js'
import { fixedLimits } from '../../core/limits.js'
import type { Hunk } from './hunk.js'

/** Thrown instead of a refusal where several hunks of one op are refused, each for itself. */
export class Refusals extends Error {
  readonly all: readonly Refusal[]

  constructor(all: readonly Refusal[]) {
    super('several hunks are refused')
    this.all = all
  }
}

const missCodes: readonly RefusalCode[] = ['ZERO_MATCHES', 'AMBIGUOUS_MATCH']

/**
 * Places hunk by hunk, or refuses with every one that is missed. Behind the first of them only those
 * count whose lines stand nowhere: where a hunk is ambiguous the one before might have said which
 * place is meant.
 */
export function placeHunks<Placed>(
  hunks: readonly Hunk[],
  place: (hunk: Hunk) => Placed,
): readonly Placed[] {
  const placed: Placed[] = []
  const refusals: Refusal[] = []
  for (const hunk of hunks) {
    try {
      placed.push(place(hunk))
    } catch (error) {
      const isFirst = refusals.length === 0
      if (!(error instanceof Refusal) || (isFirst && !missCodes.includes(error.code))) throw error
      if (isFirst || error.code === 'ZERO_MATCHES') refusals.push(error)
      if (error.code === 'TOO_LARGE' || refusals.length > fixedLimits.toldFailures) break
    }
  }
  const [first, ...others] = refusals
  if (first === undefined) return placed
  throw others.length === 0 ? first : new Refusals(refusals)
}
