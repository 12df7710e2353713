import { anchorAt, anchorRules } from '../../dist/formats/text/anchors.js'
import { openText } from '../../dist/formats/text/text-file.js'
import { onlyFile } from './read-cases.mjs'

/** @type {import('./types.mjs').Family} Edits by anchors, with the anchors that a read has shown. */
export const hashline = {
  name: 'hashline',
  takes: ({ dialect }) => dialect === 'hashline',
  request: ({ edit, before }) => {
    const path = edit.file ?? onlyFile
    const read = edit.read === undefined ? before.get(path) : new TextEncoder().encode(edit.read)
    const steps = edit.edits ?? edit.ops.map((/** @type {any} */ op) => namedStep(op, read, edit))
    return {
      batches: [{ dialect: 'hashline', edits: [{ path, edits: steps }] }],
      anchors: edit.scheme,
    }
  },
}

/**
 * A step with the anchor of the line that it names.
 * @param {any} step
 * @param {Uint8Array | undefined} read
 * @param {{ readonly scheme: keyof typeof anchorRules }} edit
 */
function namedStep({ anchor_of_line: line, ...step }, read, { scheme }) {
  const file = openText(read ?? new Uint8Array())
  if (file === undefined) throw new Error('no text')
  return { ...step, anchor: anchorAt(file, line, anchorRules[scheme]) }
}
