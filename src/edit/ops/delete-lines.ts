import { checkLineOrder, checkText } from './checks.js'
import { endLineField, expectPrefixField, startLineField } from './fields.js'
import { defineTextOp } from './text-op.js'
import { replaceLines } from './whole-lines.js'

/** Deletes a range of lines, and nothing of the lines around it. */
export const deleteLines = defineTextOp({
  name: 'delete_lines',
  summary: 'Delete a range of lines.',
  fields: {
    start_line: startLineField,
    end_line: endLineField,
    expect_prefix: expectPrefixField.exactOptional(),
  },
  check: (op, limits) => {
    checkLineOrder(op)
    checkText({ field: 'expect_prefix', text: op.expect_prefix ?? '' }, limits.findChars)
  },
  edit: (op, context) => ({ text: replaceLines(context, op, '') }),
})
