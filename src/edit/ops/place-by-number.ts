import { Refusal } from '../../core/errors.js'
import { type Hunk, linesToLastChange, type OpenEnds, oldLines, type PlacedHunk } from './hunk.js'
import {
  beyondDivergence,
  endingDivergence,
  type HunkField,
  hunkAmbiguous,
  hunkCandidates,
  hunkMissed,
  hunkPlaceless,
  listedPlaces,
  placeInPatch,
} from './hunk-refusals.js'
import { placeHunks } from './place-hunks.js'

/** How hunks with line numbers are placed. */
export interface ByNumber extends HunkField {
  /** True where the last line of the file has no break. */
  readonly isOpen: boolean
}

type Placed = PlacedHunk<'exact'>

/**
 * Finds each hunk at the line that it says, moved as the hunk before was. Where its lines do not
 * stand there they must stand exactly once below the changes before it: the nearest of several is
 * a guess, so it is `AMBIGUOUS_MATCH`. Hunks may share context, never a changed line.
 */
export function placeByNumber(field: ByNumber, hunks: readonly Hunk[]): readonly Placed[] {
  let floor = 0
  let offset = 0
  return placeHunks(hunks, hunk => {
    const at = placeOf(field, hunk, { floor, offset })
    if (hunk.start !== undefined) offset = at - statedLine(hunk, hunk.start)
    floor = at + linesToLastChange(hunk.lines)
    return { hunk, lines: hunk.lines, at, level: 'exact' }
  })
}

interface Standing {
  /** The first line that no hunk before has changed. */
  readonly floor: number
  /** How many lines further down than said the hunk before was found. */
  readonly offset: number
}

function placeOf(field: ByNumber, hunk: Hunk, { floor, offset }: Standing): number {
  const { sought } = field
  const wanted = oldLines(hunk.lines)
  const stated = hunk.start === undefined ? undefined : statedLine(hunk, hunk.start) + offset
  if (wanted.length === 0) return placeAddition(field, hunk, stated, floor)
  if (stated !== undefined && stated >= floor && sought.standsAt('exact', wanted, stated)) {
    if (endsAsSaid(field, hunk, stated)) return stated
  }
  const alike = sought.find('exact', wanted, { from: floor, limit: listedPlaces + 1 })
  const places = alike.filter(at => endsAsSaid(field, hunk, at))
  const [at] = places
  if (at === undefined) {
    throw alike.length > 0 ? endMissed(field, hunk, alike) : hunkMissed(field, hunk)
  }
  if (places.length > 1) throw hunkAmbiguous(field, hunk, places)
  return at
}

/** Lines from 0. A hunk without old lines names the line it comes after. */
function statedLine(hunk: Hunk, start: number): number {
  return oldLines(hunk.lines).length === 0 ? start : start - 1
}

/** Without old lines the number is all there is; it counts for what it says. */
function placeAddition(
  field: ByNumber,
  hunk: Hunk,
  stated: number | undefined,
  floor: number,
): number {
  const { count } = field.sought
  if (count === 0 && floor === 0) return 0
  if (stated === undefined) {
    throw hunkPlaceless(hunk, 'add a line of context, or the line numbers of the @@ line')
  }
  if (stated < floor || stated > count) {
    const line = Math.max(stated, 0)
    const range = { start_line: line, end_line: line, total_lines: count }
    throw new Refusal('OUT_OF_RANGE', { ...placeInPatch(hunk), ...range })
  }
  if (!endsAsSaid(field, hunk, stated)) throw endMissed(field, hunk, [])
  return stated
}

/**
 * False where the hunk says of the end of the file what is not so. Where both its sides stop
 * without a newline, or both do not, it changes nothing there, and only a file that ends where the
 * hunk does is asked.
 */
function endsAsSaid({ sought, isOpen }: ByNumber, hunk: Hunk, at: number): boolean {
  const { openEnds } = hunk
  if (openEnds === undefined) return true
  const endsFile = at + oldLines(hunk.lines).length === sought.count
  if (!changesEnd(openEnds)) return !endsFile || openEnds.old !== true || isOpen
  return endsFile && (openEnds.old === undefined || openEnds.old === isOpen)
}

/** The refusal of a hunk that is right but for the end of the file; it would be right at these lines. */
function endMissed(field: ByNumber, hunk: Hunk, alike: readonly number[]): Refusal {
  const { isOpen, sought } = field
  const wanted = oldLines(hunk.lines)
  const last = alike.at(-1)
  const end = last === undefined ? undefined : last + wanted.length
  return new Refusal('ZERO_MATCHES', {
    ...placeInPatch(hunk),
    candidates: hunkCandidates(field, hunk, alike),
    ...(end !== undefined && {
      first_divergence:
        end === sought.count
          ? endingDivergence(field, end - 1, {
              wanted: isOpen ? '\n' : '',
              actual: isOpen ? '' : '\n',
            })
          : beyondDivergence(field, end),
    }),
    hint: 'final_newline',
    has_final_newline: !isOpen,
  })
}

/** True where a hunk gives the file a final newline or takes it away. */
export function changesEnd({ old, new: young }: OpenEnds): boolean {
  // Where the last line goes and none comes, the one before it ends the file, break and all.
  if (young === undefined) return old === true
  return old === undefined ? young : old !== young
}
