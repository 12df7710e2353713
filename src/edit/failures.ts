import type { OpBase } from '../core/batch.js'
import { Refusal, type RefusalCode } from '../core/errors.js'
import { fixedLimits } from '../core/limits.js'
import type { Oid } from '../core/oid.js'

/** One edit that was refused, and why. */
export interface Failure {
  readonly index: number
  readonly op: string
  readonly path: string
  readonly refusal: Refusal
  readonly said?: OpBase['said'] | undefined
  /** The revision of the file before the batch, where it has one. */
  readonly rev?: Oid | undefined
}

/** What a refusal tells of one failure. */
interface FailureFields extends Readonly<Record<string, unknown>> {
  readonly index: number
  readonly op: string
  readonly path: string
}

/**
 * The refusal of a whole batch: the first failure is what it is, and `failures` lists them where
 * there are several, up to a bound; `more_failures` tells that there are more.
 */
export function refuseBatch(failures: readonly Failure[]): Refusal | undefined {
  const sorted = failures.toSorted((a, b) => a.index - b.index)
  const [first] = sorted
  if (first === undefined) return undefined
  const { refusal } = first
  const { toldFailures } = fixedLimits
  return new Refusal(
    refusal.code,
    {
      ...failureFields(first),
      ...(sorted.length > 1 && { failures: sorted.slice(0, toldFailures).map(failureData) }),
      ...(sorted.length > toldFailures && { more_failures: true }),
    },
    refusal.status,
  )
}

function failureData(failure: Failure): FailureFields & { readonly code: RefusalCode } {
  return { code: failure.refusal.code, ...failureFields(failure) }
}

/** `path` is what was refused, mostly the edit's own; a link or special file above it is the `obstacle`. */
function failureFields({ index, op, path, refusal, said, rev }: Failure): FailureFields {
  const { path: named, ...data } = refusal.data
  const isAbove = inTheWay.includes(refusal.code) && named !== path
  const fields = { index, op, path, ...said, ...(rev !== undefined && { rev }) }
  return isAbove ? { ...fields, obstacle: named, ...data } : { ...fields, ...refusal.data }
}

const inTheWay: readonly RefusalCode[] = ['SYMLINK', 'NOT_REGULAR']
