import { Refusal } from '../../core/errors.js'
import { fixedLimits } from '../../core/limits.js'
import { type MatchLevel, matchLevels } from '../../core/receipt.js'
import { diagnoseMiss } from './diagnose-miss.js'
import { excerptLine } from './excerpt.js'
import { findExact, type SearchBounds } from './find-exact.js'
import type { Haystack, MatchRules, Place, Wanted } from './haystack.js'
import { Budget, BudgetSpent } from './ladder/budget.js'
import { climb } from './ladder/ladder.js'
import type { Stretch } from './piece.js'
import { freeWhiteSpace } from './white-space.js'

export interface Located {
  readonly level: MatchLevel
  /** Sorted and disjoint. */
  readonly places: readonly Place[]
  /** At `block_anchor`. */
  readonly similarity?: number
}

/** How a text is found that must stand there exactly. */
const exactRules: MatchRules = {
  levels: ['exact'],
  minSimilarity: 1,
  whiteSpace: freeWhiteSpace,
}

const listedMatches = 10

/**
 * Finds where a text stands, by the strictest level that finds anything at all. `ZERO_MATCHES`
 * teaches what stands there instead; two or more places at one level where one was wanted are
 * `AMBIGUOUS_MATCH` and final, and another number than the one that was said is `COUNT_MISMATCH`.
 */
export function locate(
  haystack: Haystack,
  wanted: Wanted,
  rules: MatchRules = exactRules,
): Located {
  const found = findPlaces(haystack, wanted, rules)
  requireCount(haystack, found.places, wanted.count)
  return found
}

function findPlaces(haystack: Haystack, wanted: Wanted, rules: MatchRules): Located {
  const bounds: SearchBounds =
    wanted.count === 'one'
      ? { limit: listedMatches + 1, overlap: 'kept' }
      : { limit: fixedLimits.matches + 1, overlap: 'dropped' }
  const places = findExact(haystack.text, haystack.table.starts, wanted.find, bounds)
  if (places.length > 0) return { level: 'exact', places }
  const found = climbWithin(haystack, wanted, { ...rules, ...bounds })
  if (found === 'spent') throw noMatch(haystack, wanted, { budget_spent: true })
  if (found === undefined) throw noMatch(haystack, wanted, wouldMatch(haystack, wanted, rules))
  // Two blocks that are much alike are one too many, whatever number was asked for.
  if (found.level === 'block_anchor') requireCount(haystack, found.places, 'one')
  return found
}

function climbWithin(
  { table }: Haystack,
  wanted: Wanted,
  rules: MatchRules & SearchBounds,
): Located | 'spent' | undefined {
  const budget = new Budget(fixedLimits.similaritySteps)
  try {
    return climb({ ...rules, table, budget }, wanted)
  } catch (error) {
    if (error instanceof BudgetSpent) return 'spent'
    throw error
  }
}

/** The strictest level that would have found it, had it not been ruled out, and where. */
function wouldMatch(
  haystack: Haystack,
  wanted: Wanted,
  rules: MatchRules,
): Readonly<Record<string, unknown>> {
  if (rules === exactRules) return {}
  const levels = matchLevels.filter(level => !rules.levels.includes(level))
  const bounds = { levels, limit: listedMatches, overlap: 'dropped' } as const
  const found = climbWithin(haystack, wanted, { ...rules, ...bounds })
  if (found === undefined || found === 'spent') return {}
  const { level, places } = found
  const lines = places.map(({ from, to }) => ({
    start_line: haystack.lineAt(from),
    end_line: haystack.lineAt(Math.max(from, to - 1)),
  }))
  return { would_match: { level, lines } }
}

/** Refuses a number of places that is not the one that was asked for. */
export function requireCount(
  haystack: Haystack,
  places: readonly Stretch[],
  count: Wanted['count'],
): void {
  if (places.length > fixedLimits.matches) {
    throw new Refusal('TOO_LARGE', {
      what: 'matches',
      limit: fixedLimits.matches,
      actual: places.length,
    })
  }
  if (count === 'one' && places.length > 1) {
    throw new Refusal('AMBIGUOUS_MATCH', listMatches(haystack, places))
  }
  if (typeof count === 'number' && places.length !== count) {
    throw new Refusal('COUNT_MISMATCH', {
      expected_count: count,
      actual_count: places.length,
      ...listMatches(haystack, places),
    })
  }
}

function listMatches(haystack: Haystack, places: readonly Stretch[]): Record<string, unknown> {
  const matches = places.slice(0, listedMatches).map(({ from }) => {
    const start = lineStart(haystack.text, from)
    return {
      line: haystack.lineAt(from),
      ...(start > 0 && { before: excerptLine(lineAround(haystack.text, start - 1)) }),
      text: excerptLine(lineAround(haystack.text, from)),
    }
  })
  return { matches, ...(places.length > listedMatches && { more_matches: true }) }
}

function lineAround(text: string, offset: number): string {
  const end = text.indexOf('\n', offset)
  return text.slice(lineStart(text, offset), end < 0 ? text.length : end)
}

function lineStart(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1
}

/** Where the file holds stray bytes, they were read as U+FFFD; a text copied from there cannot be searched for. */
function noMatch(
  haystack: Haystack,
  wanted: Wanted,
  more: Readonly<Record<string, unknown>> = {},
): Refusal {
  if (wanted.find.includes('\ufffd')) {
    const at = haystack.text.toWellFormed().indexOf(wanted.find)
    if (at >= 0) return new Refusal('UNSUPPORTED_ENCODING', { line: haystack.lineAt(at) })
  }
  return new Refusal('ZERO_MATCHES', { ...diagnoseMiss(haystack, wanted), ...more })
}
