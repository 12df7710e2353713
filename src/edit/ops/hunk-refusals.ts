import { Refusal } from '../../core/errors.js'
import {
  type Divergence,
  diagnoseMiss,
  type MissCandidate,
} from '../../formats/text/diagnose-miss.js'
import { excerptLine, excerptPassage, showEnding, showHidden } from '../../formats/text/excerpt.js'
import type { Haystack } from '../../formats/text/haystack.js'
import type { Ending } from '../../formats/text/line-index.js'
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

/** Places where the lines of a hunk stand that is wrong about something else, as candidates of a refusal. */
export function hunkCandidates(
  field: HunkField,
  hunk: Hunk,
  places: readonly number[],
): readonly MissCandidate[] {
  const wanted = oldLines(hunk.lines)
  return places.slice(0, 3).map(line => ({
    start_line: numberOf(field, line),
    end_line: numberOf(field, line + wanted.length - 1),
    score: 1,
    text: excerptPassage(wanted.map((_, index) => field.sought.lineAt(line + index))),
  }))
}

/** A line of the file, from 0, that differs from the wanted one only in how it ends. */
export function endingDivergence(
  field: HunkField,
  line: number,
  endings: { readonly wanted: Ending; readonly actual: Ending },
): Divergence {
  const text = excerptLine(field.sought.lineAt(line))
  return {
    line: numberOf(field, line),
    expected: text,
    actual: text,
    expected_visible: showHidden(text) + showEnding(endings.wanted),
    actual_visible: showHidden(text) + showEnding(endings.actual),
  }
}

/** A line of the file, from 0, where the hunk says that the file has ended. */
export function beyondDivergence(field: HunkField, line: number): Divergence {
  const text = field.sought.lineAt(line)
  return {
    line: numberOf(field, line),
    expected: null,
    actual: excerptLine(text),
    expected_visible: null,
    actual_visible: showHidden(text),
  }
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
    ...(line > 0 && { before: excerptLine(field.sought.lineAt(line - 1)) }),
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
