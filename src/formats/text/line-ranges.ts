import type { LineRange } from '../../core/receipt.js'

/** Ranges in order, those that touch or overlap as one. An empty range beside another one goes into it. */
export function mergeRanges(ranges: readonly LineRange[]): readonly LineRange[] {
  const merged: { start: number; end: number }[] = []
  const sorted = ranges.toSorted((a, b) => a.start - b.start || a.end - b.end)
  for (const { start, end } of sorted) {
    const last = merged.at(-1)
    if (last !== undefined && start <= last.end + 1) last.end = Math.max(last.end, end)
    else merged.push({ start, end })
  }
  return merged
}

/** At most so many ranges; the last of them reaches over all that follow. */
export function limitRanges(ranges: readonly LineRange[], limit: number): readonly LineRange[] {
  const [last, end] = [ranges[limit - 1], ranges.at(-1)?.end]
  if (ranges.length <= limit || last === undefined || end === undefined) return ranges
  return [...ranges.slice(0, limit - 1), { start: last.start, end }]
}
