import { applyTextEdits, sameBytes, type TextEdit } from '../core/text-edit.js'
import { type ByteLines, byteLines } from './byte-lines.js'

/** A run of lines that gave way to other lines. Lines count from 0. */
export interface LineBlock {
  readonly oldStart: number
  readonly newStart: number
  readonly removed: readonly Uint8Array[]
  readonly added: readonly Uint8Array[]
}

/** Whole lines around some edits, not yet compared: one past the last line, where the end of the file counts as a line. */
interface Region {
  readonly start: number
  end: number
  readonly edits: TextEdit[]
}

/** The edits of a file widened to whole lines: blocks in order, never two that touch, lines that stayed alike left out at both ends. */
export function lineBlocks(
  before: Uint8Array,
  lines: ByteLines,
  edits: readonly TextEdit[],
): readonly LineBlock[] {
  const blocks: { oldStart: number; removed: Uint8Array[]; added: Uint8Array[] }[] = []
  for (const region of regionsOf(lines, edits)) {
    const block = compareRegion(before, lines, region)
    const last = blocks.at(-1)
    if (block.removed.length === 0 && block.added.length === 0) continue
    if (last !== undefined && last.oldStart + last.removed.length === block.oldStart) {
      for (const line of block.removed) last.removed.push(line)
      for (const line of block.added) last.added.push(line)
    } else {
      blocks.push(block)
    }
  }
  return placed(blocks)
}

function regionsOf(lines: ByteLines, edits: readonly TextEdit[]): readonly Region[] {
  const regions: Region[] = []
  for (const edit of edits) {
    const start = lines.lineAt(edit.from)
    const end = lines.lineAt(edit.to) + 1
    const last = regions.at(-1)
    if (last !== undefined && start < last.end) {
      last.edits.push(edit)
      last.end = end
    } else {
      regions.push({ start, end, edits: [edit] })
    }
  }
  return regions
}

function compareRegion(
  before: Uint8Array,
  lines: ByteLines,
  { start, end, edits }: Region,
): { oldStart: number; removed: Uint8Array[]; added: Uint8Array[] } {
  const from = lines.startOf(start)
  const text = applyTextEdits(
    before.subarray(from, lines.startOf(end)),
    edits.map(edit => ({ ...edit, from: edit.from - from, to: edit.to - from })),
  )
  const after = byteLines(text, lines.lineBreak)
  const old = lines.slice(start, end)
  const young = after.slice(0, after.count)
  const shorter = Math.min(old.length, young.length)
  const tail = sharedLines(old.toReversed(), young.toReversed(), shorter)
  const head = sharedLines(old, young, shorter - tail)
  return {
    oldStart: start + head,
    removed: old.slice(head, old.length - tail),
    added: young.slice(head, young.length - tail),
  }
}

/** How many lines are the same from the first on, up to a limit. */
function sharedLines(
  some: readonly Uint8Array[],
  others: readonly Uint8Array[],
  limit: number,
): number {
  let count = 0
  while (count < limit) {
    const [one, other] = [some[count], others[count]]
    if (one === undefined || other === undefined || !sameBytes(one, other)) break
    count += 1
  }
  return count
}

function placed(blocks: readonly Omit<LineBlock, 'newStart'>[]): readonly LineBlock[] {
  let shift = 0
  return blocks.map(block => {
    const newStart = block.oldStart + shift
    shift += block.added.length - block.removed.length
    return { ...block, newStart }
  })
}
