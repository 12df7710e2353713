import { Refusal } from '../../core/errors.js'
import { fixedLimits } from '../../core/limits.js'
import type { TextFile } from '../../formats/text/text-file.js'

/** What a file holds, as the batch found it: all of it, or the lines around the likeliest place. */
interface Snapshot {
  readonly start_line: number
  readonly end_line: number
  readonly total_lines: number
  readonly text: string
}

/** The same refusal, with the file where the text was not found in it. */
export function showFile(refusal: unknown, file: TextFile): unknown {
  if (!(refusal instanceof Refusal) || refusal.code !== 'ZERO_MATCHES') return refusal
  const { code, data, status } = refusal
  const snapshot = takeSnapshot(file, likeliestLine(data.candidates))
  return new Refusal(code, { ...data, snapshot }, status)
}

function likeliestLine(candidates: unknown): number {
  const [first] = Array.isArray(candidates) ? candidates : []
  const line: unknown = first?.start_line
  return typeof line === 'number' ? line : 1
}

function takeSnapshot({ text, lines }: TextFile, around: number): Snapshot {
  const { snapshotChars } = fixedLimits
  let start = Math.max(1, Math.min(around, lines.count))
  let end = start
  const fits = (first: number, last: number): boolean =>
    first >= 1 &&
    last <= lines.count &&
    lines.startOf(last + 1) - lines.startOf(first) <= snapshotChars
  while (fits(start - 1, end) || fits(start, end + 1)) {
    if (fits(start - 1, end)) start -= 1
    if (fits(start, end + 1)) end += 1
  }
  const shown = text.slice(lines.startOf(start), lines.startOf(end + 1)).slice(0, snapshotChars)
  return {
    start_line: start,
    end_line: Math.min(end, lines.count),
    total_lines: lines.count,
    text: shown.toWellFormed(),
  }
}
