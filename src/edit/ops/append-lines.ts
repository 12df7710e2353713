import { checkSearch } from './checks.js'
import { linesTextField, literalField } from './fields.js'
import { guardText } from './guard-text.js'
import { defineTextOp } from './text-op.js'
import { appendLines as append } from './whole-lines.js'

/** Adds lines at the end of a file. */
export const appendLines = defineTextOp({
  name: 'append_lines',
  summary: 'Add lines at the end of an existing file.',
  fields: { text: linesTextField, literal: literalField.exactOptional() },
  check: (op, limits) => checkSearch({ field: 'text', text: op.text }, limits.writeBytes),
  edit: (op, context) => {
    guardText(context, { field: 'text', ...op, at: context.text.file.lines.count + 1 })
    return { text: append(context, op.text) }
  },
})
