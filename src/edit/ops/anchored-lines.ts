import { z } from 'zod'
import { type AnchorScheme, anchorSchemes } from '../../core/anchor-scheme.js'
import { Refusal } from '../../core/errors.js'
import {
  type Anchor,
  anchorAt,
  anchoredCount,
  anchoredText,
  anchorRules,
  findMoved,
  fitsAnchor,
  parseAnchor,
} from '../../formats/text/anchors.js'
import { excerptLine } from '../../formats/text/excerpt.js'
import type { TextFile } from '../../formats/text/text-file.js'
import { invalid } from './checks.js'

/** Lines before and after the place of a refusal that are told with fresh anchors. */
const contextLines = 5

/** Candidates that are told. */
const listedCandidates = 10

export const anchorField = z
  .string()
  .describe('The anchor of a line, as the hashline view shows it.')

export const anchorsField = z.enum(anchorSchemes).describe('How the anchors of the view are made.')

/** An anchor of the view, or a refusal that says what one looks like. */
export function requireAnchor(field: string, said: string, scheme: AnchorScheme): Anchor {
  const anchor = parseAnchor(said, anchorRules[scheme])
  if (anchor !== undefined) return anchor
  const form =
    scheme === 'content' ? 'LINE:HASH, such as 22:abc' : 'LINE:HASH:HASH, such as 22:abc:rst'
  throw invalid(field, `is not a whole anchor; copy all of it from the hashline view: ${form}`)
}

/**
 * The line that an anchor means in the file as it was read. `ANCHOR_STALE` where it is not what the
 * anchor says, with the place where its text seems to stand now; `ANCHOR_AMBIGUOUS` where that could
 * be several. What has moved is told and never taken for what was meant.
 */
export function anchoredLine(
  file: TextFile,
  field: string,
  said: string,
  scheme: AnchorScheme,
): number {
  const rules = anchorRules[scheme]
  const anchor = requireAnchor(field, said, scheme)
  if (fitsAnchor(file, anchor, rules)) return anchor.line
  const { lines, proof } = findMoved(file, anchor, rules)
  const [only] = lines
  const { line } = anchor
  if (only === undefined && line > anchoredCount(file)) {
    const total_lines = file.lines.count
    throw new Refusal('OUT_OF_RANGE', { field, start_line: line, end_line: line, total_lines })
  }
  const about = { field, anchor: nameOf(anchor), line }
  if (lines.length < 2 || only === undefined) {
    throw new Refusal('ANCHOR_STALE', {
      ...about,
      ...(only !== undefined && { shifted_to: anchorAt(file, only, rules), shift_proof: proof }),
      context: linesAround(file, only ?? line, scheme),
    })
  }
  const nearest = lines.toSorted((a, b) => Math.abs(a - line) - Math.abs(b - line) || a - b)
  throw new Refusal('ANCHOR_AMBIGUOUS', {
    ...about,
    candidates: nearest.slice(0, listedCandidates).map(one => anchorAt(file, one, rules)),
    context: linesAround(file, nearest[0] ?? line, scheme),
  })
}

function nameOf({ line, local, context }: Anchor): string {
  return [line, local, context].filter(part => part !== undefined).join(':')
}

function linesAround(file: TextFile, line: number, scheme: AnchorScheme): readonly string[] {
  const first = Math.max(1, Math.min(line, file.lines.count) - contextLines)
  const last = Math.min(file.lines.count, line + contextLines)
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) =>
    excerptLine(anchoredText(file, first + index, anchorRules[scheme])),
  )
}
