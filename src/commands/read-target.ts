import { Refusal } from '../core/errors.js'
import { fixedLimits } from '../core/limits.js'
import type { LineRange } from '../core/receipt.js'
import { parseLineRange } from './line-range.js'

/** A file, and the part of it that is asked for. */
export interface ReadTarget {
  readonly path: string
  readonly lines?: LineRange
  readonly symbol?: string
  /** Lines before and after the symbol. */
  readonly around?: number
  /** Lines whose declarations are asked for. */
  readonly at?: readonly LineRange[]
}

/** Reads "src/a.ts", "src/a.ts:10-40", "src/a.ts:10-40,90-99" (two parts), "src/a.ts@31,90-99" or "src/a.ts::Class/method". Refuses with `INVALID_ARGUMENTS` more ranges than are answered. */
export function parseReadTargets(said: string): readonly ReadTarget[] {
  const [, path = said, symbol, mark, lines] =
    /^(.+?)(?:::([^:].*)|([:@])(\d+(?:-\d*)?(?:,\d+(?:-\d*)?)*))$/s.exec(said) ?? []
  if (symbol !== undefined) return [{ path, symbol }]
  if (lines === undefined) return [{ path }]
  const ranges = lines.split(',', fixedLimits.readParts + 1).map(parseLineRange)
  if (ranges.length > fixedLimits.readParts) throw tooManyRanges()
  return mark === '@' ? [{ path, at: ranges }] : ranges.map(range => ({ path, lines: range }))
}

function tooManyRanges(): Refusal {
  const problem = `name at most ${fixedLimits.readParts} ranges of lines of one file`
  return new Refusal('INVALID_ARGUMENTS', { problem })
}

/** A target as it is said. */
export function sayTarget({ path, lines, symbol, at }: ReadTarget): string {
  if (symbol !== undefined) return `${path}::${symbol}`
  if (at !== undefined) return `${path}@${at.map(sayRange).join(',')}`
  return lines === undefined ? path : `${path}:${sayRange(lines)}`
}

function sayRange({ start, end }: LineRange): string {
  return `${start}-${end === Number.MAX_SAFE_INTEGER ? '' : end}`
}

/** What the fields of a read of one file ask for. */
export function readTarget(asked: {
  readonly path: string
  readonly lines?: string
  readonly symbol?: string
  readonly context_lines?: number
  readonly raw?: boolean
}): ReadTarget {
  const { path, lines, symbol, context_lines: around, raw } = asked
  const isTwice = symbol !== undefined && (lines !== undefined || raw === true)
  if (isTwice || (around !== undefined && symbol === undefined)) {
    const problem = 'symbol goes without lines and raw, and context_lines only with symbol'
    throw new Refusal('INVALID_ARGUMENTS', { problem })
  }
  return {
    path,
    ...(lines !== undefined && { lines: parseLineRange(lines) }),
    ...(symbol !== undefined && { symbol }),
    ...(around !== undefined && { around }),
  }
}
