// Says a file by the anchors of its lines, as they were read in a worktree with the view hashline.
import { lineEdits } from '../line-edits.mjs'
import { textChange, textLines, unsayable, wholeText } from './said-file.mjs'

/** @typedef {import('../line-edits.mjs').LineEdit} LineEdit */

/** @type {import('./said-file.mjs').Dialect} */
export const hashline = {
  name: 'hashline',
  view: 'hashline',
  moves: false,
  modes: false,
  say: async ({ path, rev, before, after, hunks }, { anchors, turn }) => {
    if (after === undefined) return 'delete'
    if (before === undefined) return write(path, after)
    const edits = lineEdits(before, after, hunks)
    if (typeof edits === 'string') return edits
    const change = textChange(before, after, hunks, { keepsEnd: true })
    if (typeof change === 'string') return change
    const texts = edits.flatMap(edit => ('text' in edit ? textLines(Buffer.from(edit.text)) : []))
    const reason = unsayable(texts)
    if (reason !== undefined) return reason
    const lines = await anchors()
    const steps = edits.map(edit => stepOf(edit, lines, turn))
    // One step at a time and a list of them are the same.
    const isList = turn % 2 === 0
    const place = { path, expected_rev: rev }
    const parts = isList ? [{ ...place, edits: steps }] : steps.map(step => ({ ...place, ...step }))
    return { parts, ops: steps.length }
  },
  join: files => ({ dialect: 'hashline', edits: files.flatMap(({ said }) => said.parts) }),
}

/**
 * @param {string} path
 * @param {Buffer} bytes
 */
function write(path, bytes) {
  const whole = wholeText(bytes)
  if (typeof whole === 'string') return whole
  return { parts: [{ path, expected_rev: null, op: 'write', content: whole.text }], ops: 1 }
}

/**
 * @param {LineEdit} edit
 * @param {readonly string[]} lines
 * @param {number} turn
 */
function stepOf(edit, lines, turn) {
  const at = (/** @type {number} */ line) => lines[line - 1] ?? `no anchor of line ${line}`
  if (edit.op === 'insert_lines') {
    const content = contentOf(edit.text)
    if (edit.line > 1) return { op: 'insert_after', anchor: at(edit.line - 1), content }
    const isBorder = lines.length === 0 || turn % 2 === 0
    return isBorder
      ? { op: 'insert_after', anchor: '0:', content }
      : { op: 'insert_before', anchor: at(1), content }
  }
  const { start_line: start, end_line: end } = edit
  const stretch = { anchor: at(start), ...(end > start && { end_anchor: at(end) }) }
  return edit.op === 'delete_lines'
    ? { op: 'delete', ...stretch }
    : { op: 'replace', ...stretch, content: contentOf(edit.text) }
}

/**
 * Without the break at its end, unless the last line is an empty one.
 * @param {string} text
 */
function contentOf(text) {
  const lines = text.replaceAll('\r\n', '\n').replace(/\n$/, '')
  return lines === '' || lines.endsWith('\n') ? `${lines}\n` : lines
}
