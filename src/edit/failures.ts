import { Refusal, type RefusalCode } from '../core/errors.js'

/** One edit that was refused, and why. */
export interface Failure {
  readonly index: number
  readonly op: string
  readonly path: string
  readonly refusal: Refusal
}

/** What a refusal tells of one of several failures. */
interface FailureData extends Readonly<Record<string, unknown>> {
  readonly index: number
  readonly op: string
  readonly path: string
  readonly code: RefusalCode
}

/** The refusal of a whole batch: the first failure is what it is, and `failures` lists them all where there are several. */
export function refuseBatch(failures: readonly Failure[]): Refusal | undefined {
  const sorted = failures.toSorted((a, b) => a.index - b.index)
  const [first] = sorted
  if (first === undefined) return undefined
  const { index, op, path, refusal } = first
  return new Refusal(
    refusal.code,
    {
      index,
      op,
      path,
      ...refusal.data,
      ...(sorted.length > 1 && { failures: sorted.map(failureData) }),
    },
    refusal.status,
  )
}

function failureData({ index, op, path, refusal }: Failure): FailureData {
  return { index, op, path, code: refusal.code, ...refusal.data }
}
