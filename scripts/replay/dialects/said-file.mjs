// What the sayers of all dialects share: one file before and after by its lines, and why it cannot be said.
import { lineEdits } from '../line-edits.mjs'
import { decodeUtf8 } from '../read-commit.mjs'

/** @typedef {import('../read-commit.mjs').Hunk} Hunk */

/**
 * @typedef {object} SaidFile One file that a batch creates (without `before`), deletes (without `after`) or changes.
 * @property {string} path
 * @property {string} [to] Where it is moved to.
 * @property {string} [rev] The blob that it was read at.
 * @property {Buffer} [before]
 * @property {Buffer} [after]
 * @property {readonly Hunk[]} hunks
 * @property {() => Buffer | undefined} [section] What git itself prints of it.
 */

/**
 * @typedef {object} Said How a file was said.
 * @property {readonly unknown[]} parts Edits, or pieces of the text.
 * @property {number} ops
 */

/**
 * @typedef {object} SayContext
 * @property {() => Promise<readonly string[]>} anchors One for each line of the file, as its view shows them.
 * @property {string} head
 * @property {number} turn Counts the batches, for where two ways are as good.
 */

/**
 * @typedef {object} Dialect
 * @property {string} name
 * @property {'plain' | 'hashline'} view
 * @property {boolean} moves A move is said with the rest of the file.
 * @property {boolean} modes So is a mode.
 * @property {(file: SaidFile, context: SayContext) => Promise<Said | string> | Said | string} say A text is why not.
 * @property {(files: readonly { readonly file: SaidFile, readonly said: Said }[], context: SayContext) => object} join
 */

/**
 * @typedef {object} TextLine
 * @property {string | undefined} text Without its break; undefined where it is no UTF-8.
 * @property {string} break LF for whatever stands in the file, or nothing at its end.
 */

/**
 * @typedef {object} TextHunk Lines from 0 and half-open.
 * @property {number} start
 * @property {number} end
 * @property {number} newStart
 * @property {number} newEnd
 */

/**
 * @typedef {object} TextChange
 * @property {readonly TextLine[]} before
 * @property {readonly TextLine[]} after
 * @property {readonly TextHunk[]} hunks
 */

const mark = Buffer.from([0xef, 0xbb, 0xbf])

/**
 * A change by lines, or why lines cannot say it. Where `keepsEnd`, whether the file ends with a break stays as it is.
 * @param {Buffer} before
 * @param {Buffer} after
 * @param {readonly Hunk[]} hunks
 * @param {{ readonly keepsEnd: boolean }} rule
 * @returns {TextChange | string}
 */
export function textChange(before, after, hunks, { keepsEnd }) {
  const edits = lineEdits(before, after, hunks)
  if (typeof edits === 'string' && (edits !== 'final_newline' || keepsEnd)) return edits
  const [old, young] = [textLines(before), textLines(after)]
  const wasOpen = old.at(-1)?.break === ''
  const isOpen = young.at(-1)?.break === ''
  if (keepsEnd && young.length > 0 && wasOpen !== isOpen) return 'final_newline'
  return { before: old, after: young, hunks: hunks.map(fromZero) }
}

/**
 * @param {Hunk} hunk
 * @returns {TextHunk}
 */
export function fromZero({ oldStart, oldCount, newStart, newCount }) {
  const start = oldCount === 0 ? oldStart : oldStart - 1
  const young = newCount === 0 ? newStart : newStart - 1
  return { start, end: start + oldCount, newStart: young, newEnd: young + newCount }
}

/**
 * The lines of a file without its byte order mark.
 * @param {Buffer} bytes
 * @returns {readonly TextLine[]}
 */
export function textLines(bytes) {
  const body = bytes.subarray(0, 3).equals(mark) ? bytes.subarray(3) : bytes
  const lines = []
  for (let at = 0; at < body.length; ) {
    const feed = body.indexOf(0x0a, at)
    const end = feed < 0 ? body.length : feed
    const isReturned = feed > at && body[feed - 1] === 0x0d
    const text = decodeUtf8(body.subarray(at, isReturned ? end - 1 : end))
    lines.push({ text, break: feed < 0 ? '' : '\n' })
    at = end + 1
  }
  return lines
}

/**
 * The content of a new file, or why text cannot be it.
 * @param {Buffer} bytes
 * @returns {{ readonly text: string } | string}
 */
export function wholeText(bytes) {
  if (bytes.includes(0)) return 'binary'
  const text = decodeUtf8(bytes)
  return text === undefined ? 'undecodable' : { text }
}

/**
 * Why these lines cannot be said as text: one is no UTF-8, or ends in a CR that is no part of a break.
 * @param {readonly TextLine[]} lines
 */
export function unsayable(lines) {
  if (lines.some(({ text }) => text === undefined)) return 'undecodable'
  return lines.some(({ text }) => text?.endsWith('\r')) ? 'carriage_return' : undefined
}

/**
 * The lines as one text.
 * @param {readonly TextLine[]} lines
 */
export function joined(lines) {
  return lines.map(line => `${line.text ?? '\ufffd'}${line.break}`).join('')
}
