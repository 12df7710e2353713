import type { LineHunk } from '../align-lines.js'
import type { SearchBounds } from '../find-exact.js'
import type { MatchRules } from '../haystack.js'
import type { LineTable } from '../line-table.js'
import type { Budget } from './budget.js'

/** How and where to look. */
export interface Search extends MatchRules, SearchBounds {
  readonly table: LineTable
  readonly budget: Budget
}

/** A search for whole lines. */
export interface LineSearch extends Search {
  /** At least one of them is not blank. */
  readonly wanted: readonly string[]
  /** What the edit does to them; empty where nobody said. */
  readonly hunks: readonly LineHunk[]
}

/** Lines of a text that may be meant; `end` is not one of them. */
export interface Candidate {
  readonly start: number
  readonly end: number
  /** For each wanted line, the line that it stands for; undefined where the text lacks it. */
  readonly lines: readonly (number | undefined)[]
  readonly similarity?: number
}
