import { checkLinePart } from './checks.js'
import { containsField, expectedCountField } from './fields.js'
import { replaceLinesContaining } from './lines-containing.js'
import { defineTextOp } from './text-op.js'

/** Deletes the one line that contains a text, or a said number of them. */
export const deleteLinesContaining = defineTextOp({
  name: 'delete_lines_containing',
  summary:
    'Delete the whole line that contains a text. It must be one line, unless you say expected_count.',
  fields: { contains: containsField, expected_count: expectedCountField.exactOptional() },
  check: (op, limits) => checkLinePart({ field: 'contains', text: op.contains }, limits.findChars),
  edit: (op, context) => replaceLinesContaining(context, op, ''),
})
