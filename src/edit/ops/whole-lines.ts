import { Refusal } from '../../core/errors.js'
import { excerptLine } from '../../formats/text/excerpt.js'
import type { PieceText } from '../../formats/text/piece-text.js'
import { spliceText, type TextContext } from './text-op.js'

/** Lines of the file as it was read. */
export interface ReadLines {
  readonly start_line: number
  readonly end_line: number
  readonly expect_prefix?: string
}

/** Lines to either side in which a mistaken line number is looked for. */
const nearbyLines = 200

/**
 * Replaces lines of the file as it was read. The text is whole lines whether or not it ends with
 * a newline; none at all takes the lines away. Whether the file ends with a newline stays as it is.
 */
export function replaceLines(context: TextContext, lines: ReadLines, text: string): PieceText {
  requireReadLines(context, lines.start_line, lines.end_line)
  const { file } = context.text
  const { count, startOf, endingOf } = file.lines
  if (lines.end_line > count) throw outOfRange(context, lines.start_line, lines.end_line)
  requirePrefix(context, lines)
  const stretch = { from: startOf(lines.start_line), to: startOf(lines.end_line + 1) }
  const endLines = endingOf(lines.end_line) === '' ? openLines : closedLines
  return context.text.replaceOriginal(stretch, endLines(file.normalise(text)), context.index)
}

/** Puts lines in before a line of the file as it was read; one past the last line stands for the end. */
export function insertLines(context: TextContext, line: number, text: string): PieceText {
  requireReadLines(context, line, line)
  const { file } = context.text
  if (line > file.lines.count + 1) throw outOfRange(context, line, line)
  if (line === file.lines.count + 1) return appendLines(context, text)
  const at = file.lines.startOf(line)
  const body = closedLines(file.normalise(text))
  return context.text.replaceOriginal({ from: at, to: at }, body, context.index)
}

/**
 * Puts lines in at the end of the current text. A last line that just stops gets its break first,
 * and then the new last line just stops instead: no line op changes how a file ends.
 */
export function appendLines(context: TextContext, text: string): PieceText {
  const current = context.text.text
  const at = current.length
  const isOpen = current !== '' && !current.endsWith('\n')
  const lines = context.text.file.normalise(text)
  const body = isOpen ? `\n${openLines(lines)}` : closedLines(lines)
  return spliceText(context, [{ from: at, to: at, text: body }])
}

/** Lines that all end with a newline; breaks are LF. */
export function closedLines(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}

/** Lines of which the last just stops; breaks are LF. */
export function openLines(text: string): string {
  return text.endsWith('\n') ? text.slice(0, -1) : text
}

function requireReadLines({ hasReadLines }: TextContext, start: number, end: number): void {
  if (!hasReadLines) throw new Refusal('OVERLAPPING_EDITS', { start_line: start, end_line: end })
}

function outOfRange({ text }: TextContext, start: number, end: number): Refusal {
  const total_lines = text.file.lines.count
  return new Refusal('OUT_OF_RANGE', { start_line: start, end_line: end, total_lines })
}

/** `LINE_MISMATCH` where the first line does not begin as it should, with the nearest line that does. */
function requirePrefix({ text }: TextContext, lines: ReadLines): void {
  const { start_line: line, expect_prefix: prefix } = lines
  if (prefix === undefined) return
  const lineText = (number: number): string =>
    text.file.text.slice(text.file.lines.startOf(number), text.file.lines.endOf(number))
  const actual = lineText(line)
  if (actual.startsWith(prefix)) return
  const found = nearest(line, text.file.lines.count, other => lineText(other).startsWith(prefix))
  throw new Refusal('LINE_MISMATCH', {
    line,
    expect_prefix: prefix,
    actual_line: excerptLine(actual),
    ...(found !== undefined && { found_at_line: found }),
  })
}

function nearest(
  line: number,
  count: number,
  holds: (line: number) => boolean,
): number | undefined {
  for (let distance = 1; distance <= nearbyLines; distance += 1) {
    for (const other of [line - distance, line + distance]) {
      if (other >= 1 && other <= count && holds(other)) return other
    }
  }
  return undefined
}
