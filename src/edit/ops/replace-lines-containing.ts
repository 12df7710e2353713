import { checkLinePart, checkText } from './checks.js'
import { containsField, expectedCountField, linesTextField, literalField } from './fields.js'
import { guardText } from './guard-text.js'
import { replaceLinesContaining as replace } from './lines-containing.js'
import { defineTextOp } from './text-op.js'

/** Replaces the one line that contains a text, or a said number of them. */
export const replaceLinesContaining = defineTextOp({
  name: 'replace_lines_containing',
  summary:
    'Replace the whole line that contains a text. It must be one line, unless you say expected_count.',
  fields: {
    contains: containsField,
    text: linesTextField,
    expected_count: expectedCountField.exactOptional(),
    literal: literalField.exactOptional(),
  },
  check: (op, limits) => {
    checkLinePart({ field: 'contains', text: op.contains }, limits.findChars)
    checkText({ field: 'text', text: op.text }, limits.replaceChars)
  },
  edit: (op, context) => {
    guardText(context, { field: 'text', ...op })
    return replace(context, op, op.text)
  },
})
