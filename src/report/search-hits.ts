import type { CodeSymbol } from '../core/outline.js'
import { type FoundSymbol, lastSymbol } from '../formats/code/find-symbols.js'
import type { TextFile } from '../formats/text/text-file.js'
import { cutLine, type SearchHit, type SymbolAround } from './search-view.js'

/** Where a line fits: its number, and the offset in the line, from 0. */
export interface PlaceInLine {
  readonly line: number
  readonly at: number
}

/** The lines of a file that fit. */
export interface Places {
  readonly count: number
  /** Where the first of them do; what is not asked for costs nothing. */
  first(most: number): readonly PlaceInLine[]
}

/** How a text is looked for. */
export interface LiteralWays {
  readonly ignoreCase: boolean
}

/** Lines to show, from 1, without their breaks. */
export interface ShownLines {
  hasLine(line: number): boolean
  textOf(line: number): string
}

/** Every line that holds a text, with where it does first. */
export function findLiteral(
  { text, lines }: TextFile,
  wanted: string,
  { ignoreCase }: LiteralWays,
): Places {
  const sought = ignoreCase ? lowered(text) : text
  const needle = ignoreCase ? lowered(wanted) : wanted
  const found: number[] = []
  for (let at = sought.indexOf(needle); at >= 0; ) {
    found.push(at)
    const end = sought.indexOf('\n', at)
    at = end < 0 ? -1 : sought.indexOf(needle, end)
  }
  const placeAt = (at: number): PlaceInLine => {
    const line = lines.lineAt(at)
    return { line, at: at - lines.startOf(line) }
  }
  return { count: found.length, first: most => found.slice(0, most).map(placeAt) }
}

/** In lower case with the same offsets: the few letters that would grow stay as they are. */
function lowered(text: string): string {
  const lower = text.toLowerCase()
  return lower.length === text.length ? lower : text.replace(/[A-Z]+/g, run => run.toLowerCase())
}

/** The hits of a file as they are shown: with lines around them, each line once. */
export function showHits(
  lines: ShownLines,
  places: readonly PlaceInLine[],
  context: number,
): readonly SearchHit[] {
  const run = (from: number, to: number): readonly string[] =>
    Array.from({ length: Math.max(to - from + 1, 0) }, (_, at) => from + at)
      .filter(line => lines.hasLine(line))
      .map(line => cutLine(lines.textOf(line), 0))
  let shown = 0
  return places.map(({ line, at }, index) => {
    const next = places[index + 1]?.line ?? Infinity
    const before = run(Math.max(line - context, shown + 1), line - 1)
    const after = run(line + 1, Math.min(line + context, next - 1))
    shown = line + after.length
    return {
      line,
      column: at + 1,
      text: cutLine(lines.textOf(line).toWellFormed(), at),
      ...(before.length > 0 && { before }),
      ...(after.length > 0 && { after }),
    }
  })
}

/** Adds to each hit the innermost declaration of several lines that holds it. */
export function withSymbols(
  hits: readonly SearchHit[],
  symbols: readonly CodeSymbol[],
): readonly SearchHit[] {
  return hits.map(hit => {
    const found = lastSymbol(
      symbols,
      ({ start_line: start, end_line: end }) => start < end && start <= hit.line && hit.line <= end,
    )
    return found === undefined ? hit : { ...hit, symbol: around(found) }
  })
}

function around({ name_path, symbol }: FoundSymbol): SymbolAround {
  const { kind, start_line, end_line } = symbol
  return { name_path, kind, start_line, end_line }
}
