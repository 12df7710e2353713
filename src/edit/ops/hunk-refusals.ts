import { Refusal } from '../../core/errors.js'
import { diagnoseMiss } from '../../formats/text/diagnose-miss.js'
import { excerptLine } from '../../formats/text/excerpt.js'
import type { Haystack } from '../../formats/text/haystack.js'
import type { SoughtLines } from '../../formats/text/seek-lines.js'
import { type Hunk, type HunkLine, newLines, oldLines } from './hunk.js'

/** What hunks are searched in. */
export interface HunkField {
  readonly haystack: Haystack
  readonly sought: SoughtLines
}

/** Places that a refusal lists. */
export const listedPlaces = 10

/** The refusal of a hunk whose lines stand nowhere it may go; says where they stand otherwise. */
export function hunkMissed({ haystack, sought }: HunkField, hunk: Hunk): Refusal {
  const wanted = oldLines(hunk.lines)
  const elsewhere = wanted.length === 0 ? [] : sought.find('exact', wanted, { from: 0, limit: 3 })
  return new Refusal('ZERO_MATCHES', {
    ...placeInPatch(hunk),
    ...diagnoseMiss(haystack, {
      find: joined(wanted),
      count: 'one',
      ...(changesText(hunk.lines) && { replacement: joined(newLines(hunk.lines)) }),
    }),
    ...(elsewhere.length > 0 && {
      found_at_lines: elsewhere.map(line => numberOf({ haystack, sought }, line)),
    }),
  })
}

/** The refusal of a hunk whose `@@` line stands nowhere below the hunk before. */
export function headerMissed({ haystack }: HunkField, hunk: Hunk, header: string): Refusal {
  return new Refusal('ZERO_MATCHES', {
    ...placeInPatch(hunk),
    header: excerptLine(header),
    ...diagnoseMiss(haystack, { find: header, count: 'one' }),
  })
}

/** The refusal of a hunk that fits several places. */
export function hunkAmbiguous(field: HunkField, hunk: Hunk, places: readonly number[]): Refusal {
  const matches = places.slice(0, listedPlaces).map(line => ({
    line: numberOf(field, line),
    text: excerptLine(field.sought.lineAt(line)),
  }))
  return new Refusal('AMBIGUOUS_MATCH', {
    ...placeInPatch(hunk),
    matches,
    ...(places.length > listedPlaces && { more_matches: true }),
  })
}

/** The refusal of a hunk that only adds lines and does not say where. */
export function hunkPlaceless(hunk: Hunk, remedy: string): Refusal {
  return new Refusal('DIALECT_UNPARSABLE', {
    line: hunk.patchLine,
    hunk: hunk.number,
    problem: `the hunk only adds lines and does not say where; ${remedy}`,
  })
}

/** Where a hunk stands in the patch. */
export function placeInPatch(hunk: Hunk): { readonly hunk: number; readonly patch_line: number } {
  return { hunk: hunk.number, patch_line: hunk.patchLine }
}

function numberOf({ haystack, sought }: HunkField, line: number): number {
  return haystack.lineAt(sought.startOf(line))
}

function joined(lines: readonly string[]): string {
  return lines.map(line => `${line}\n`).join('')
}

function changesText(lines: readonly HunkLine[]): boolean {
  return lines.some(({ kind }) => kind !== 'context')
}
