import { followIndent } from '../../formats/text/follow-indent.js'
import type { SeekLevel } from '../../formats/text/seek-lines.js'
import { type Hunk, type HunkLine, oldLines, type PlacedHunk } from './hunk.js'
import {
  type HunkField,
  headerMissed,
  hunkAmbiguous,
  hunkMissed,
  hunkPlaceless,
  listedPlaces,
} from './hunk-refusals.js'
import { placeHunks } from './place-hunks.js'

/** How hunks without line numbers are placed. */
export interface InOrder extends HunkField {
  /** Strictest first. */
  readonly levels: readonly SeekLevel[]
  /** Of several places the first one is meant. */
  readonly takesFirst: boolean
  /** How far a found line may be indented otherwise than it was written. */
  readonly indentation: 'free' | 'shifted' | 'fixed'
}

type Placed = PlacedHunk<SeekLevel>

/**
 * Finds each hunk below the one before, at the strictest level that finds it at all; two places at
 * one level are `AMBIGUOUS_MATCH`. What stands nowhere below may stand above, exactly, in one place
 * of the file that no other hunk holds: models mix up the order, and one place is proof enough.
 */
export function placeInOrder(field: InOrder, hunks: readonly Hunk[]): readonly Placed[] {
  const placed: Placed[] = []
  let cursor = 0
  return placeHunks(hunks, hunk => {
    const found = placeBelow(field, hunk, cursor) ?? placeAbove(field, hunk, placed)
    if (found === undefined) throw hunkMissed(field, hunk)
    placed.push(found)
    cursor = Math.max(cursor, found.at + oldLines(found.lines).length)
    return found
  })
}

function placeBelow(field: InOrder, hunk: Hunk, cursor: number): Placed | undefined {
  if (oldLines(hunk.lines).length === 0) return placeAddition(field, hunk, cursor)
  const header = passHeaders(field, hunk, cursor)
  // Some repeat the @@ line as the first line of the hunk.
  return (
    seekHunk(field, hunk, header + 1) ??
    (hunk.headers.length > 0 ? seekHunk(field, hunk, header) : undefined)
  )
}

/** The line of the innermost header; the line before the cursor where there is none. */
function passHeaders(field: InOrder, hunk: Hunk, cursor: number): number {
  let line = cursor - 1
  for (const header of hunk.headers) {
    const [first] = findHeader(field, header, line + 1)
    if (first === undefined) throw headerMissed(field, hunk, header)
    line = first
  }
  return line
}

function findHeader({ sought, levels }: InOrder, header: string, from: number): readonly number[] {
  for (const level of levels) {
    const lines = sought.find(level, [header], { from, limit: listedPlaces + 1 })
    if (lines.length > 0) return lines
  }
  return []
}

/** New lines alone go right after their `@@` line, which must stand there once, or to the end of the file. */
function placeAddition(field: InOrder, hunk: Hunk, cursor: number): Placed {
  const { sought, takesFirst } = field
  const addition = { hunk, lines: hunk.lines, level: 'exact' as const }
  if (hunk.isAtEnd || sought.count === 0) {
    passHeaders(field, hunk, cursor)
    return { ...addition, at: sought.count }
  }
  const header = hunk.headers.at(-1)
  if (header === undefined) {
    throw hunkPlaceless(
      hunk,
      'add a line of context, an @@ line that stands in the file once, or *** End of File',
    )
  }
  const outer = passHeaders(field, { ...hunk, headers: hunk.headers.slice(0, -1) }, cursor)
  const lines = findHeader(field, header, outer + 1)
  const [line] = lines
  if (line === undefined) throw headerMissed(field, hunk, header)
  if (lines.length > 1 && !takesFirst) throw hunkAmbiguous(field, hunk, lines)
  return { ...addition, at: line + 1 }
}

function seekHunk(field: InOrder, hunk: Hunk, from: number): Placed | undefined {
  for (const level of field.levels) {
    for (const lines of readings(hunk)) {
      const places = placesOf(field, { ...hunk, lines }, level, from)
      const [at] = places
      if (at === undefined) continue
      if (places.length > 1 && !field.takesFirst) throw hunkAmbiguous(field, hunk, places)
      const placed = { hunk, lines, at, level }
      if (isIndentable(field, placed)) return placed
    }
  }
  return undefined
}

/** The hunk as it stands, and where it ends with bare empty lines also without them. */
function readings({ lines, looseLines }: Hunk): readonly (readonly HunkLine[])[] {
  const tight = lines.slice(0, lines.length - looseLines)
  return looseLines === 0 || oldLines(tight).length === 0 ? [lines] : [lines, tight]
}

function placesOf(
  { sought }: InOrder,
  { lines, isAtEnd }: Hunk,
  level: SeekLevel,
  from: number,
): readonly number[] {
  const wanted = oldLines(lines)
  if (!isAtEnd) return sought.find(level, wanted, { from, limit: listedPlaces + 1 })
  const at = sought.count - wanted.length
  return at >= from && sought.standsAt(level, wanted, at) ? [at] : []
}

/** False where the new lines could not be indented for the place, or where white space has meaning and was not kept. */
function isIndentable({ sought, indentation }: InOrder, { lines, at, level }: Placed): boolean {
  if (level === 'exact' || level === 'trailing_whitespace') return true
  const rule = followIndent(
    oldLines(lines).map((wanted, index) => ({ wanted, actual: sought.lineAt(at + index) })),
  )
  if (indentation === 'fixed' && !rule.isIdentity) return false
  if (indentation === 'shifted' && !rule.isUniform) return false
  return lines.every(({ kind, text }) => kind !== 'added' || rule.follow(text) !== undefined)
}

function placeAbove(field: InOrder, hunk: Hunk, placed: readonly Placed[]): Placed | undefined {
  if (placed.length === 0 || hunk.headers.length > 0 || hunk.isAtEnd) return undefined
  for (const lines of readings(hunk)) {
    const wanted = oldLines(lines)
    const places = field.sought.find('exact', wanted, { from: 0, limit: listedPlaces + 1 })
    const [at] = places
    if (at === undefined || places.length > 1) continue
    const isFree = placed.every(
      other => at + wanted.length <= other.at || at >= other.at + oldLines(other.lines).length,
    )
    if (isFree) return { hunk, lines, at, level: 'exact' }
  }
  return undefined
}
