import type { MatchLevel } from '../../core/receipt.js'
import type { LineTable } from './line-table.js'
import type { Stretch } from './piece.js'
import type { WhiteSpace } from './white-space.js'

/** A text to search, with LF for every break, and what its lines are called in answers. */
export interface Haystack {
  readonly text: string
  readonly table: LineTable
  lineAt(offset: number): number
}

export interface Wanted {
  /** Not empty, with LF for every break. */
  readonly find: string
  /** How often it must stand there: once, as often as it does, or an exact number. */
  readonly count: 'one' | 'all' | number
  /** What is to stand there instead, with LF for every break, to tell what the edit leaves alone or that it was already made. */
  readonly replacement?: string
}

/** How a text may be found. */
export interface MatchRules {
  /** Strictest first. */
  readonly levels: readonly MatchLevel[]
  readonly minSimilarity: number
  readonly whiteSpace: WhiteSpace
}

/** A place where a text was found. */
export interface Place extends Stretch {
  /** Absent where it stands exactly; else for each wanted line the line of the text, from 0, that it is. */
  readonly lines?: readonly (number | undefined)[]
}
