import { decodeUtf8Lossless } from '../formats/text/utf8.js'
import type { ByteLines } from './byte-lines.js'
import type { LineBlock } from './line-blocks.js'

const noFinalFeed = '\n\\ No newline at end of file\n'

/** Unified hunks of the blocks, byte-exact but for what is not UTF-8, which shows as U+FFFD. */
export function renderHunks(
  lines: ByteLines,
  blocks: readonly LineBlock[],
  contextLines: number,
): string {
  return groupBlocks(blocks, contextLines)
    .map(group => renderHunk(lines, group, contextLines))
    .join('')
}

/** Blocks whose contexts would touch or overlap share a hunk. */
function groupBlocks(
  blocks: readonly LineBlock[],
  contextLines: number,
): readonly (readonly LineBlock[])[] {
  const groups: LineBlock[][] = []
  for (const block of blocks) {
    const group = groups.at(-1)
    const last = group?.at(-1)
    const gap = block.oldStart - (last === undefined ? 0 : oldEnd(last))
    if (group !== undefined && gap <= 2 * contextLines) group.push(block)
    else groups.push([block])
  }
  return groups
}

function renderHunk(lines: ByteLines, group: readonly LineBlock[], contextLines: number): string {
  const [first] = group
  const last = group.at(-1)
  if (first === undefined || last === undefined) return ''
  const start = Math.max(0, first.oldStart - contextLines)
  const end = Math.min(lines.count, oldEnd(last) + contextLines)
  const grown = group.reduce((sum, { added, removed }) => sum + added.length - removed.length, 0)
  const newStart = first.newStart - (first.oldStart - start)
  const parts = [`@@ -${span(start, end - start)} +${span(newStart, end - start + grown)} @@\n`]
  let at = start
  for (const block of group) {
    parts.push(marked(' ', lines.slice(at, block.oldStart)))
    parts.push(marked('-', block.removed), marked('+', block.added))
    at = oldEnd(block)
  }
  return parts.join('') + marked(' ', lines.slice(at, end))
}

function oldEnd(block: LineBlock): number {
  return block.oldStart + block.removed.length
}

/** Lines from 1, as in a hunk header; no lines at all stand behind the line before them. */
function span(start: number, count: number): string {
  if (count === 0) return `${start},0`
  return count === 1 ? `${start + 1}` : `${start + 1},${count}`
}

function marked(mark: string, lines: readonly Uint8Array[]): string {
  return lines.map(line => `${mark}${shown(line)}${isEnded(line) ? '' : noFinalFeed}`).join('')
}

function shown(line: Uint8Array): string {
  return decodeUtf8Lossless(line).toWellFormed()
}

function isEnded(line: Uint8Array): boolean {
  return line.at(-1) === 0x0a
}
