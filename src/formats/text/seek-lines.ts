import { Refusal } from '../../core/errors.js'
import { fixedLimits } from '../../core/limits.js'
import type { MatchLevel } from '../../core/receipt.js'
import { findRuns } from './find-runs.js'
import { isTyped } from './fold-confusables.js'
import { lineStarts } from './line-index.js'

/** The levels at which whole lines of a patch are found in a file. */
export type SeekLevel = Extract<
  MatchLevel,
  'exact' | 'trailing_whitespace' | 'line_trimmed' | 'unicode_normalised'
>

/** What is the same line at each level, strictest first. */
const normalisers: Readonly<Record<SeekLevel, (line: string) => string>> = {
  exact: line => line,
  trailing_whitespace: line => line.trimEnd(),
  line_trimmed: line => line.trim(),
  unicode_normalised: line => foldTypography(line.trim()),
}

export const seekLevels = Object.keys(normalisers) as SeekLevel[]

/** Where lines may be found: lines from 0. */
export interface SeekBounds {
  readonly from: number
  readonly limit: number
}

/** The lines of a text, searched as whole lines. Lines count from 0. */
export interface SoughtLines {
  readonly count: number
  /** Where a line begins in the text; one past the last line, where the text ends. */
  startOf(line: number): number
  lineAt(line: number): string
  /** Every place from a line on where lines stand one after the other, up to a limit. */
  find(level: SeekLevel, wanted: readonly string[], bounds: SeekBounds): readonly number[]
  /** True where the lines stand exactly at a place. */
  standsAt(level: SeekLevel, wanted: readonly string[], at: number): boolean
}

/** Makes the lines of a text searchable; each level is indexed when it is first asked for. `TOO_LARGE` beyond a bounded amount of search. */
export function seekLines(text: string): SoughtLines {
  const starts = lineStarts(text)
  const lines = text.split('\n').slice(0, starts.length)
  const levels = new Map<SeekLevel, LevelLines>()
  const linesOf = (level: SeekLevel): LevelLines => {
    const known = levels.get(level) ?? new LevelLines(lines, normalisers[level])
    levels.set(level, known)
    return known
  }
  let steps = 0
  const spend = (more: number): void => {
    steps += more
    const limit = fixedLimits.soughtLines
    if (steps > limit) throw new Refusal('TOO_LARGE', { what: 'search', limit, actual: steps })
  }
  return {
    count: lines.length,
    startOf: line => starts[line] ?? text.length,
    lineAt: line => lines[line] ?? '',
    find: (level, wanted, { from, limit }) => {
      spend(lines.length - from + wanted.length)
      return linesOf(level).find(wanted, { from, limit })
    },
    standsAt: (level, wanted, at) => {
      const normalise = normalisers[level]
      if (at < 0 || at + wanted.length > lines.length) return false
      return wanted.every((line, index) => normalise(line) === normalise(lines[at + index] ?? ''))
    },
  }
}

/** Dashes, quotes and spaces of typography as plain ones, and one form of composed letters; never letters that only look alike. */
export function foldTypography(line: string): string {
  if (isTyped(line)) return line
  return line
    .normalize('NFC')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[\u2018-\u201b]/g, "'")
    .replace(/[\u201c-\u201f]/g, '"')
    .replace(/[\u00a0\u2002-\u200a\u202f\u205f\u3000]/g, ' ')
}

/** Searches of one level before its lines are numbered, which pays only for many. */
const plainSearches = 8

/** The lines as one level sees them. */
class LevelLines {
  readonly #normalise: (line: string) => string
  readonly #normals: readonly string[]
  #index: LineNumbers | undefined
  #searches = 0

  constructor(lines: readonly string[], normalise: (line: string) => string) {
    this.#normalise = normalise
    this.#normals = lines.map(normalise)
  }

  find(wanted: readonly string[], bounds: SeekBounds): readonly number[] {
    this.#searches += 1
    const normals = wanted.map(this.#normalise)
    if (this.#searches <= plainSearches) return placesOf(this.#normals, normals, bounds)
    this.#index ??= numberLines(this.#normals)
    const { ids, idOf } = this.#index
    const wantedIds = normals.map(normal => idOf.get(normal) ?? -1)
    return wantedIds.includes(-1) ? [] : placesOf(ids, wantedIds, bounds)
  }
}

/** Every line as a number; lines that are the same have the same. */
interface LineNumbers {
  readonly ids: Int32Array
  readonly idOf: ReadonlyMap<string, number>
}

function numberLines(normals: readonly string[]): LineNumbers {
  const idOf = new Map<string, number>()
  const ids = new Int32Array(normals.length)
  for (const [place, normal] of normals.entries()) {
    const id = idOf.get(normal) ?? idOf.size
    if (id === idOf.size) idOf.set(normal, id)
    ids[place] = id
  }
  return { ids, idOf }
}

/** Where lines, or their numbers, stand one after the other. */
function placesOf<Line extends string | number>(
  lines: ArrayLike<Line>,
  keys: readonly Line[],
  { from, limit }: SeekBounds,
): readonly number[] {
  const isEqual = (line: number, wanted: number): boolean => lines[line] === keys[wanted]
  const places: number[] = []
  for (const place of findRuns({ keys, from, to: lines.length, isEqual })) {
    places.push(place)
    if (places.length === limit) break
  }
  return places
}
