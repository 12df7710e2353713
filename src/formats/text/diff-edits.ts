import type { TextEdit } from '../../core/text-edit.js'
import { type DecodedText, decodeText } from './decode.js'
import { diffLines } from './diff.js'

/** The edits that lead from one content to another, line by line; undefined where they are not both text of one encoding. */
export function diffEdits(
  before: Uint8Array,
  after: Uint8Array,
  maxLines: number,
): readonly TextEdit[] | undefined {
  const [old, young] = [decodeText(before), decodeText(after)]
  if (old === undefined || young === undefined || old.encoding !== young.encoding) return undefined
  const oldLines = splitLines(old.text)
  const youngLines = splitLines(young.text)
  const [oldByte, youngByte] = [byteOfLine(old, oldLines), byteOfLine(young, youngLines)]
  return diffLines(oldLines, youngLines, maxLines).map(stretch => ({
    from: oldByte(stretch.oldStart),
    to: oldByte(stretch.oldEnd),
    insert: after.slice(youngByte(stretch.newStart), youngByte(stretch.newEnd)),
  }))
}

/** Lines with their breaks; CR alone breaks a line only where there is no LF. */
function splitLines(text: string): readonly string[] {
  if (text === '') return []
  return text.split(text.includes('\n') ? /(?<=\n)/ : /(?<=\r)/)
}

/** Where each line begins in the bytes; one past the last, where they end. */
function byteOfLine(file: DecodedText, lines: readonly string[]): (line: number) => number {
  const starts = [0]
  for (const [index, line] of lines.entries()) starts.push((starts[index] ?? 0) + line.length)
  return line => file.byteOffset(starts[line] ?? file.text.length)
}
