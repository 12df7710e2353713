import { Refusal } from '../core/errors.js'
import type { LineRange } from '../core/receipt.js'

/** Reads "10-40", "10-" (to the end) or "10" (one line). */
export function parseLineRange(text: string): LineRange {
  const found = /^([1-9]\d{0,8})(-([1-9]\d{0,8})?)?$/.exec(text)
  const start = Number(found?.[1])
  const end = found?.[2] === undefined ? start : Number(found[3] ?? Number.MAX_SAFE_INTEGER)
  if (found === null || end < start) {
    throw new Refusal('INVALID_ARGUMENTS', { problem: 'lines are written like 10-40, 10- or 10' })
  }
  return { start, end }
}
