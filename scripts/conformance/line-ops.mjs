import { onlyFile } from './read-cases.mjs'

/** @type {import('./types.mjs').Family} Edits by line numbers, as native ops. */
export const lineOps = {
  name: 'line_ops',
  takes: ({ dialect }) => dialect === 'line_ops',
  request: ({ edit }) => ({ batches: [{ edits: [{ path: onlyFile, ...lineOp(edit) }] }] }),
}

/** @param {any} edit */
function lineOp(edit) {
  const path = edit.file ?? edit.path ?? onlyFile
  if (edit.insert_line !== undefined) {
    return { op: 'insert_lines', path, line: edit.insert_line, text: edit.new_text }
  }
  if (edit.op === 'insert_after_line') {
    return { op: 'insert_lines', path, line: edit.line + 1, text: edit.text }
  }
  const { start, end, ...rest } = edit
  return start === undefined ? rest : { ...rest, start_line: start, end_line: end }
}
