import type { MatchLevel } from '../../../core/receipt.js'
import type { Place, Wanted } from '../haystack.js'
import { exchangeLines } from '../line-exchange.js'
import { type LineTable, splitLines } from '../line-table.js'
import { findBlock } from './find-block.js'
import { findFolded } from './find-folded.js'
import { findNormalised, findTrailing, findTrimmed } from './find-lines.js'
import { findShifted } from './find-shifted.js'
import type { Candidate, LineSearch, Search } from './level.js'

/** One degree of leniency that takes whole lines: finds every candidate there is, up to a limit. */
interface LineLevel {
  readonly level: MatchLevel
  find(search: LineSearch): readonly Candidate[]
}

/** What comes after `exact`, strictest first. A level runs only if those before it found nothing at all. */
const lineLevels: readonly LineLevel[] = [
  { level: 'trailing_whitespace', find: findTrailing },
  { level: 'line_trimmed', find: findTrimmed },
  { level: 'whitespace_normalised', find: findNormalised },
  { level: 'indentation_flexible', find: findShifted },
  { level: 'unicode_normalised', find: findFolded },
  { level: 'block_anchor', find: findBlock },
]

export interface Climbed {
  readonly level: MatchLevel
  readonly places: readonly Place[]
  readonly similarity?: number
}

/** Where whole lines stand that are as wanted but for what the first level forgives that finds any. */
export function climb(search: Search, wanted: Wanted): Climbed | undefined {
  if (wanted.find.trim() === '' || changesOnlyWhiteSpace(wanted)) return undefined
  const { find: text, replacement } = wanted
  const hunks =
    replacement === undefined ? [] : exchangeLines({ find: text, text: replacement }).hunks
  const lineSearch = { ...search, wanted: splitLines(text), hunks }
  for (const { level, find } of lineLevels) {
    if (!search.levels.includes(level)) continue
    const [first, ...others] = find(lineSearch)
    if (first === undefined) continue
    return {
      level,
      places: [first, ...others].map(candidate => placeOf(search.table, candidate)),
      ...(first.similarity !== undefined && {
        similarity: Math.floor(100 * first.similarity) / 100,
      }),
    }
  }
  return undefined
}

/** An edit that is about white space cannot be found without looking at it. */
function changesOnlyWhiteSpace({ find, replacement }: Wanted): boolean {
  const bare = (text: string): string => text.replace(/\s+/g, '')
  return replacement !== undefined && bare(find) === bare(replacement)
}

function placeOf(table: LineTable, { start, end, lines }: Candidate): Place {
  return { from: table.start(start), to: table.start(end), lines }
}
