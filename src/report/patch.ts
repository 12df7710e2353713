import type { Change } from '../core/change.js'
import type { Oid } from '../core/oid.js'
import type { LineRange } from '../core/receipt.js'
import { sameBytes, type TextEdit } from '../core/text-edit.js'
import { openText, type TextFile } from '../formats/text/text-file.js'
import { type ByteLines, byteLines, gitBreak, type LineBreak } from './byte-lines.js'
import { renderHunks } from './hunks.js'
import { type LineBlock, lineBlocks } from './line-blocks.js'
import {
  type PatchHeader,
  renderBinaryLine,
  renderFileLines,
  renderPatchHeader,
} from './patch-header.js'

const nothing = new Uint8Array()

/** A change as git would print it, made from its edits and not by comparing; `git apply` takes that of any text. */
export function renderPatch(
  change: Change,
  options: { readonly contextLines: number; readonly oldOid?: Oid; readonly newOid?: Oid },
): string {
  const header = headerOf(change, options)
  if (isUnchanged(header)) return ''
  const head = renderPatchHeader(header)
  if (!header.contentChanged) return head
  if (isBinary(change)) return head + renderBinaryLine(header)
  const { lines, blocks } = blocksOf(change, gitBreak)
  if (blocks.length === 0) return head
  return head + renderFileLines(header) + renderHunks(lines, blocks, options.contextLines)
}

/** The lines of the new file that a change wrote; where it only took lines away, the empty range between its neighbours. */
export function changedRanges(change: Change): readonly LineRange[] {
  const file = change.after && openText(change.after.bytes)
  if (file === undefined) return []
  return blocksOf(change, breakOf(file)).blocks.map(({ newStart, added }) => ({
    start: newStart + 1,
    end: newStart + added.length,
  }))
}

/** A length that no patch of the change falls short of, found without rendering it. */
export function leastPatchBytes(change: Change): number {
  return isBinary(change) ? 0 : Math.abs(bytesAfter(change).length - bytesBefore(change).length)
}

function headerOf(
  change: Change,
  { oldOid = change.before?.oid, newOid }: { readonly oldOid?: Oid; readonly newOid?: Oid },
): PatchHeader {
  const { path, from, before, after } = change
  const contentChanged =
    before === undefined || after === undefined || !sameBytes(before.bytes, after.bytes)
  return {
    path,
    contentChanged,
    ...(from !== undefined && { from, similarity: contentChanged ? similarity(change) : 100 }),
    ...(before && { oldMode: before.mode }),
    ...(after && { newMode: after.mode }),
    ...(oldOid && { oldOid }),
    ...(newOid && { newOid }),
  }
}

function isUnchanged({ contentChanged, from, oldMode, newMode }: PatchHeader): boolean {
  return !contentChanged && from === undefined && oldMode === newMode
}

/** Percent of the larger version that both share; never 100, which git keeps for the same content. */
function similarity(change: Change): number {
  const size = Math.max(bytesBefore(change).length, bytesAfter(change).length)
  const replaced = editsOf(change).reduce((sum, { from, to }) => sum + to - from, 0)
  return Math.min(99, Math.floor((100 * (bytesBefore(change).length - replaced)) / size))
}

function blocksOf(
  change: Change,
  lineBreak: LineBreak,
): { readonly lines: ByteLines; readonly blocks: readonly LineBlock[] } {
  const lines = byteLines(bytesBefore(change), lineBreak)
  return { lines, blocks: lineBlocks(bytesBefore(change), lines, editsOf(change)) }
}

/** The edits, or where the text was not compared one edit that replaces it all. */
function editsOf(change: Change): readonly TextEdit[] {
  const whole = { from: 0, to: bytesBefore(change).length, insert: bytesAfter(change) }
  return change.edits ?? [whole]
}

/** What ends the lines that a reader of the file is shown. */
function breakOf({ encoding, lines }: TextFile): LineBreak {
  return { encoding, code: lines.dominantEnding === '\r' ? 0x0d : 0x0a }
}

/** As for git, NUL (and so UTF-16) is not text; git looks at the first 8,000 bytes only. */
function isBinary(change: Change): boolean {
  return bytesBefore(change).includes(0) || bytesAfter(change).includes(0)
}

function bytesBefore(change: Change): Uint8Array {
  return change.before?.bytes ?? nothing
}

function bytesAfter(change: Change): Uint8Array {
  return change.after?.bytes ?? nothing
}
