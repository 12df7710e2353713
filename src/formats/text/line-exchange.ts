import { alignLines, hunksBetween, type LineHunk } from './align-lines.js'
import { splitLines } from './line-table.js'

/** A text that gives way to another; breaks are LF. */
export interface Exchange {
  readonly find: string
  readonly text: string
}

/** The same line by line. */
export interface LineExchange {
  readonly wanted: readonly string[]
  readonly young: readonly string[]
  /** What is not common to both. */
  readonly hunks: readonly LineHunk[]
}

/** Above this many, two texts are compared no further than what they begin and end with in common. */
const maxComparisons = 4_000_000

/** What an exchange does to whole lines. Breaks at the ends of both texts are no lines of their own. */
export function exchangeLines({ find, text }: Exchange): LineExchange {
  const wanted = splitLines(find)
  const young = find.endsWith('\n') && text === '' ? [] : splitLines(text)
  const isEqual = (line: number, other: number): boolean => wanted[line] === young[other]
  const pairs = alignLines({
    before: wanted.length,
    after: young.length,
    isEqual,
    worth: (line, other) => (isEqual(line, other) ? 1 + (wanted[line]?.length ?? 0) : 0),
    affords: comparisons => comparisons <= maxComparisons,
  })
  return { wanted, young, hunks: hunksBetween(pairs, young.length) }
}
