import type { CodeSymbol } from '../core/outline.js'
import { type FoundSymbol, listSymbols } from '../formats/code/find-symbols.js'
import type { TextFile } from '../formats/text/text-file.js'
import { cutLine, type SearchHit, type SymbolAround } from './search-view.js'

/** Where a line fits: its number, and the offset in the line, from 0. */
export interface PlaceInLine {
  readonly line: number
  readonly at: number
}

/** How many lines hold a text, and where the first of them do. */
export function findLiteral(
  { text, lines }: TextFile,
  wanted: string,
  { ignoreCase, most }: { readonly ignoreCase: boolean; readonly most: number },
): { readonly count: number; readonly places: readonly PlaceInLine[] } {
  const sought = ignoreCase ? lowered(text) : text
  const needle = ignoreCase ? lowered(wanted) : wanted
  const places: PlaceInLine[] = []
  let count = 0
  for (let at = sought.indexOf(needle); at >= 0; count += 1) {
    if (count < most) {
      const line = lines.lineAt(at)
      places.push({ line, at: at - lines.startOf(line) })
    }
    const end = sought.indexOf('\n', at)
    at = end < 0 ? -1 : sought.indexOf(needle, end)
  }
  return { count, places }
}

/** In lower case with the same offsets: the few letters that would grow stay as they are. */
function lowered(text: string): string {
  const lower = text.toLowerCase()
  return lower.length === text.length ? lower : text.replace(/[A-Z]+/g, run => run.toLowerCase())
}

/** The hits of a file as they are shown: with lines around them, each line once. */
export function showHits(
  { text, lines }: TextFile,
  places: readonly PlaceInLine[],
  context: number,
): readonly SearchHit[] {
  const textOf = (line: number): string => text.slice(lines.startOf(line), lines.endOf(line))
  const run = (from: number, to: number): readonly string[] =>
    Array.from({ length: Math.max(to - from + 1, 0) }, (_, at) => cutLine(textOf(from + at), 0))
  let shown = 0
  return places.map(({ line, at }, index) => {
    const next = places[index + 1]?.line ?? lines.count + 1
    const before = run(Math.max(line - context, shown + 1), line - 1)
    const last = Math.min(line + context, next - 1, lines.count)
    const after = run(line + 1, last)
    shown = Math.max(last, line)
    return {
      line,
      column: at + 1,
      text: cutLine(textOf(line).toWellFormed(), at),
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
  const wide = listSymbols(symbols).filter(({ symbol }) => symbol.end_line > symbol.start_line)
  return hits.map(hit => {
    // Owners stand before what they hold, so that the last one is the innermost.
    const found = wide.findLast(
      ({ symbol }) => symbol.start_line <= hit.line && hit.line <= symbol.end_line,
    )
    return found === undefined ? hit : { ...hit, symbol: around(found) }
  })
}

function around({ name_path, symbol }: FoundSymbol): SymbolAround {
  const { kind, start_line, end_line } = symbol
  return { name_path, kind, start_line, end_line }
}
