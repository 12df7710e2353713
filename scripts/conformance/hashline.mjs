import { anchorAt, anchorRules } from '../../dist/formats/text/anchors.js'
import { openText } from '../../dist/formats/text/text-file.js'
import { onlyFile } from './read-cases.mjs'

/** @type {import('./types.mjs').Family} Lines named by the anchors of the hashline view. */
export const hashline = {
  name: 'hashline',
  takes: ({ dialect }) => dialect === 'hashline',
  request: ({ edit, before }) => {
    const path = edit.file ?? onlyFile
    const edits = edit.edits ?? anchored(edit, before.get(path) ?? new Uint8Array())
    return {
      batches: [{ dialect: 'hashline', edits: [{ path, edits }] }],
      anchors: edit.scheme,
    }
  },
}

/**
 * Steps that say the line whose anchor they have; the anchor is the one of the text that was read.
 * @param {any} edit
 * @param {Uint8Array} before
 */
function anchored({ read, scheme, ops }, before) {
  const bytes = read === undefined ? before : new TextEncoder().encode(read)
  const file = openText(bytes)
  if (file === undefined) throw new Error('no text')
  return ops.map((/** @type {any} */ { anchor_of_line: line, ...step }) => ({
    ...step,
    anchor: anchorAt(file, line, anchorRules[/** @type {'chunk'} */ (scheme)]),
  }))
}
