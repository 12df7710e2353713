import type { LineRange } from '../../core/receipt.js'
import { decodeText } from './decode.js'
import { diffLines, type LineReplacement } from './diff.js'

/** Above this many lines that differ the whole middle counts as one replacement. */
const comparedLines = 10_000

/** Where lines of one text stand in another one that came of it; lines that were replaced stand where their replacement does. */
export function mapLines(
  ranges: readonly LineRange[],
  before: Uint8Array,
  after: Uint8Array,
): readonly LineRange[] {
  const [old, young] = [linesOf(before), linesOf(after)]
  const replaced = diffLines(old, young, comparedLines)
  return ranges.map(({ start, end }) => {
    const first = mapLine(start, replaced, 'start')
    return { start: first, end: end < start ? first - 1 : mapLine(end, replaced, 'end') }
  })
}

function linesOf(bytes: Uint8Array): readonly string[] {
  return decodeText(bytes)?.text.split('\n') ?? []
}

function mapLine(
  line: number,
  replaced: readonly LineReplacement[],
  side: 'start' | 'end',
): number {
  const at = line - 1
  let shift = 0
  for (const { oldStart, oldEnd, newStart, newEnd } of replaced) {
    if (at < oldStart) break
    if (at < oldEnd) return side === 'start' ? newStart + 1 : Math.max(newEnd, newStart + 1)
    shift = newEnd - oldEnd
  }
  return line + shift
}
