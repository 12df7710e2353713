// Says the difference of two blobs as line ops, or why it cannot be said so and the whole file must be written.
import { decodeUtf8 } from './read-commit.mjs'

/** @typedef {import('./read-commit.mjs').Hunk} Hunk */

/**
 * @typedef {{ readonly op: 'replace_lines', readonly start_line: number, readonly end_line: number, readonly text: string }
 *   | { readonly op: 'insert_lines', readonly line: number, readonly text: string }
 *   | { readonly op: 'delete_lines', readonly start_line: number, readonly end_line: number }} LineEdit
 */

/**
 * `binary`: holds NUL. `utf16`: has such a mark. `byte_order_mark`: it comes or goes. `lone_cr`: lines end in CR.
 * `undecodable`: a changed line is no UTF-8. `line_endings`: new lines end otherwise than the op would end them.
 * `final_newline`: it comes or goes.
 * @typedef {'binary' | 'utf16' | 'byte_order_mark' | 'lone_cr' | 'undecodable' | 'line_endings' | 'final_newline'} WholeFileReason
 */

/**
 * @typedef {object} Line
 * @property {Buffer} bytes With its break.
 * @property {'\n' | '\r\n' | ''} ending
 */

const lineFeed = 0x0a
const carriageReturn = 0x0d
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])
const utf16Marks = [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])]

/**
 * The ops for the hunks, in the lines of the old blob.
 * @param {Buffer} before
 * @param {Buffer} after
 * @param {readonly Hunk[]} hunks
 * @returns {readonly LineEdit[] | WholeFileReason}
 */
export function lineEdits(before, after, hunks) {
  const reason = wholeFileReason(before, after)
  if (reason !== undefined) return reason
  const oldLines = splitLines(before)
  const newLines = splitLines(after)
  const edits = []
  for (const hunk of hunks) {
    const edit = lineEdit(oldLines, newLines, hunk)
    if (typeof edit === 'string') return edit
    edits.push(edit)
  }
  return edits
}

/**
 * @param {Buffer} before
 * @param {Buffer} after
 * @returns {WholeFileReason | undefined}
 */
function wholeFileReason(before, after) {
  if (before.includes(0) || after.includes(0)) return 'binary'
  if (utf16Marks.some(mark => startsWith(before, mark))) return 'utf16'
  if (startsWith(before, byteOrderMark) !== startsWith(after, byteOrderMark)) {
    return 'byte_order_mark'
  }
  return before.includes(carriageReturn) && !before.includes(lineFeed) ? 'lone_cr' : undefined
}

/**
 * @param {readonly Line[]} oldLines
 * @param {readonly Line[]} newLines
 * @param {Hunk} hunk
 * @returns {LineEdit | WholeFileReason}
 */
function lineEdit(oldLines, newLines, { oldStart, oldCount, newStart, newCount }) {
  // Git names the line before an insertion, the ops the line after it.
  const start = oldCount === 0 ? oldStart + 1 : oldStart
  const removed = oldLines.slice(start - 1, start - 1 + oldCount)
  const added = newLines.slice(newStart - 1, newStart - 1 + newCount)
  const lines = { start_line: start, end_line: start + oldCount - 1 }
  if (removed.some(line => decodeUtf8(line.bytes) === undefined)) return 'undecodable'
  if (newCount === 0) return { op: 'delete_lines', ...lines }
  const text = textOf(added, newStart === 1)
  if (text === undefined) return 'undecodable'
  const endings = expectedEndings(oldLines, start, removed)
  if (added.some(({ ending }, index) => ending !== '' && ending !== endings(index))) {
    return 'line_endings'
  }
  const endedOpen = removed.at(-1)?.ending === ''
  if ((added.at(-1)?.ending === '') !== endedOpen) return 'final_newline'
  if (oldCount > 0) return { op: 'replace_lines', ...lines, text }
  // Behind the mark there would be another mark.
  const first = oldLines[0]?.bytes
  if (start === 1 && first && startsWith(first, byteOrderMark)) return 'byte_order_mark'
  return { op: 'insert_lines', line: start, text }
}

/**
 * The text of new lines; a mark before the first line of a file is no part of its text.
 * @param {readonly Line[]} lines
 * @param {boolean} fromTop
 */
function textOf(lines, fromTop) {
  const bytes = Buffer.concat(lines.map(line => line.bytes))
  const isMarked = fromTop && startsWith(bytes, byteOrderMark)
  return decodeUtf8(isMarked ? bytes.subarray(byteOrderMark.length) : bytes)
}

/**
 * What the ops promise: a new line ends like the line it replaces, a further one like the last of those, one that
 * replaces none like the line before, or the line after.
 * @param {readonly Line[]} oldLines
 * @param {number} start
 * @param {readonly Line[]} removed
 * @returns {(index: number) => string}
 */
function expectedEndings(oldLines, start, removed) {
  const replaced = removed.map(({ ending }) => ending).filter(Boolean)
  const before = oldLines[start - 2]?.ending
  const after = oldLines[start - 1 + removed.length]?.ending
  const near = replaced.at(-1) || before || after || '\n'
  return index => replaced[index] ?? near
}

/**
 * @param {Buffer} bytes
 * @returns {readonly Line[]}
 */
function splitLines(bytes) {
  const lines = []
  for (let at = 0; at < bytes.length; ) {
    const feed = bytes.indexOf(lineFeed, at)
    const end = feed < 0 ? bytes.length : feed + 1
    lines.push({ bytes: bytes.subarray(at, end), ending: endingOf(bytes, at, feed) })
    at = end
  }
  return lines
}

/**
 * @param {Buffer} bytes
 * @param {number} start
 * @param {number} feed
 * @returns {Line['ending']}
 */
function endingOf(bytes, start, feed) {
  if (feed < 0) return ''
  return feed > start && bytes[feed - 1] === carriageReturn ? '\r\n' : '\n'
}

/**
 * @param {Buffer} bytes
 * @param {Buffer} mark
 */
function startsWith(bytes, mark) {
  return bytes.subarray(0, mark.length).equals(mark)
}
