import { fixedLimits } from '../core/limits.js'
import type { CodeSymbol } from '../core/outline.js'
import type { LineRange } from '../core/receipt.js'

/**
 * The lines that somebody wants to see who works at some lines of a file: the declaration around each, with the
 * declarations within it that hold none of them folded to their first and last line. Where the declaration is very
 * long, or there is none, the lines around, and the first line of each declaration that they stand in.
 */
export function linesAround(
  symbols: readonly CodeSymbol[],
  wanted: readonly LineRange[],
  totalLines: number,
): readonly LineRange[] {
  const inside = wanted.filter(({ start }) => start <= totalLines)
  const shown = inside.flatMap(range => around(symbols, clip(range, 1, totalLines), inside))
  const beyond = wanted.filter(({ start }) => start > totalLines)
  const clipped = shown.map(range => clip(range, 1, totalLines))
  return [...joinNear(clipped.filter(({ start, end }) => start <= end)), ...beyond]
}

function around(
  symbols: readonly CodeSymbol[],
  range: LineRange,
  wanted: readonly LineRange[],
): readonly LineRange[] {
  const holders = holdersOf(symbols, range)
  const nearest = holders.at(-1)
  const { aroundDeclarationLines, aroundLines, aroundShortLines } = fixedLimits
  if (nearest !== undefined && heightOf(nearest) <= aroundDeclarationLines) {
    const more = Math.max(0, Math.ceil((aroundShortLines - heightOf(nearest)) / 2))
    return folded([nearest], widen(linesOf(nearest), more), wanted)
  }
  const heads = holders.map(({ start_line: line }) => ({ start: line, end: line }))
  const window = widen(range, aroundLines)
  return [...heads, ...folded(symbols, window, wanted)]
}

/** The declarations that hold a range, the outermost first. */
function holdersOf(symbols: readonly CodeSymbol[], range: LineRange): readonly CodeSymbol[] {
  const holder = symbols.find(one => one.start_line <= range.start && one.end_line >= range.end)
  return holder === undefined ? [] : [holder, ...holdersOf(holder.children, range)]
}

/** A range without the insides of the declarations that lie wholly in it and hold nothing that is wanted. */
function folded(
  symbols: readonly CodeSymbol[],
  range: LineRange,
  wanted: readonly LineRange[],
): readonly LineRange[] {
  const shown: LineRange[] = []
  let from = range.start
  for (const { start, end } of foldsIn(symbols, range, wanted)) {
    if (start <= from) continue
    shown.push({ start: from, end: start })
    from = end
  }
  return from > range.end ? shown : [...shown, { start: from, end: range.end }]
}

function foldsIn(
  symbols: readonly CodeSymbol[],
  range: LineRange,
  wanted: readonly LineRange[],
): readonly LineRange[] {
  return symbols
    .filter(one => one.start_line <= range.end && one.end_line >= range.start)
    .toSorted((one, other) => one.start_line - other.start_line)
    .flatMap(one => {
      const lines = linesOf(one)
      const isInside = lines.start > range.start && lines.end <= range.end
      const isWanted = wanted.some(({ start, end }) => start <= lines.end && end >= lines.start)
      const isLong = heightOf(one) >= fixedLimits.foldedLines
      return isInside && !isWanted && isLong ? [lines] : foldsIn(one.children, range, wanted)
    })
}

/** In order, and those with few lines between them as one: to name a gap costs more than to show it. */
function joinNear(ranges: readonly LineRange[]): readonly LineRange[] {
  const joined: { start: number; end: number }[] = []
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = joined.at(-1)
    if (last !== undefined && start <= last.end + 1 + fixedLimits.joinedLines) {
      last.end = Math.max(last.end, end)
    } else joined.push({ start, end })
  }
  return joined
}

function linesOf({ start_line: start, end_line: end }: CodeSymbol): LineRange {
  return { start, end }
}

function heightOf({ start_line: start, end_line: end }: CodeSymbol): number {
  return end - start + 1
}

function widen({ start, end }: LineRange, by: number): LineRange {
  return { start: start - by, end: end + by }
}

function clip({ start, end }: LineRange, least: number, most: number): LineRange {
  return { start: Math.max(least, start), end: Math.min(most, end) }
}
