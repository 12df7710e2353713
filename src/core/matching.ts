import { type MatchLevel, matchLevels } from './receipt.js'

/** How lenient a search for text may be: the settings of a repository. */
export interface Matching {
  /** The most lenient level. */
  readonly maxLevel: MatchLevel
  /** The least similarity of the middle that `block_anchor` takes, from 0 to 1. */
  readonly minSimilarity: number
  /** Whether native ops may take look-alike characters for each other. */
  readonly unicode: boolean
}

export const defaultMatching: Matching = {
  maxLevel: 'block_anchor',
  minSimilarity: 0.7,
  unicode: false,
}

/** The levels of an op whose dialect names none. */
const nativeLevels: readonly MatchLevel[] = [
  'exact',
  'line_trimmed',
  'whitespace_normalised',
  'indentation_flexible',
  'block_anchor',
]

/** The settings of a repository with those of a request, which can only make them stricter. */
export function tighten(repository: Matching, request: Partial<Matching>): Matching {
  const { maxLevel = repository.maxLevel, unicode = true } = request
  return {
    maxLevel: rank(maxLevel) < rank(repository.maxLevel) ? maxLevel : repository.maxLevel,
    minSimilarity: Math.max(repository.minSimilarity, request.minSimilarity ?? 0),
    unicode: repository.unicode && unicode,
  }
}

/** The levels that an op may use, strictest first: those of its dialect, as far as the settings let them. */
export function permittedLevels(
  own: readonly MatchLevel[] | undefined,
  { maxLevel, unicode }: Matching,
): readonly MatchLevel[] {
  const asked = own ?? (unicode ? [...nativeLevels, 'unicode_normalised'] : nativeLevels)
  return matchLevels.filter(
    level => asked.includes(level) && (level === 'exact' || rank(level) <= rank(maxLevel)),
  )
}

function rank(level: MatchLevel): number {
  return matchLevels.indexOf(level)
}
