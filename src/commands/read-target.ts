import { Refusal } from '../core/errors.js'
import type { LineRange } from '../core/receipt.js'
import { parseLineRange } from './line-range.js'

/** A file, and the part of it that is asked for. */
export interface ReadTarget {
  readonly path: string
  readonly lines?: LineRange
  readonly symbol?: string
  /** Lines before and after the symbol. */
  readonly around?: number
}

/** Reads "src/a.ts", "src/a.ts:10-40" or "src/a.ts::Class/method". */
export function parseReadTarget(said: string): ReadTarget {
  const [, path = said, symbol, lines] = /^(.+?)(?:::([^:].*)|:(\d+(?:-\d*)?))$/s.exec(said) ?? []
  if (symbol !== undefined) return { path, symbol }
  return lines === undefined ? { path } : { path, lines: parseLineRange(lines) }
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
