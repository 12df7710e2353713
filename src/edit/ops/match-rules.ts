import { permittedLevels } from '../../core/matching.js'
import type { MatchLevel } from '../../core/receipt.js'
import type { MatchRules } from '../../formats/text/haystack.js'
import { whiteSpaceOf } from '../../formats/text/white-space.js'
import type { TextContext } from './text-op.js'

/** How the text of an op may be found in its file; `own` are the levels of its dialect. */
export function matchRules(
  { path, text, matching }: TextContext,
  own?: readonly MatchLevel[],
): MatchRules {
  return {
    levels: permittedLevels(own, matching),
    minSimilarity: matching.minSimilarity,
    whiteSpace: whiteSpaceOf(path, text.text),
  }
}
