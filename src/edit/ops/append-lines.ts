import { checkSearch } from './checks.js'
import { linesTextField } from './fields.js'
import { defineTextOp } from './text-op.js'
import { appendLines as append } from './whole-lines.js'

/** Adds lines at the end of a file. */
export const appendLines = defineTextOp({
  name: 'append_lines',
  summary: 'Add lines at the end of an existing file.',
  fields: { text: linesTextField },
  check: (op, limits) => checkSearch({ field: 'text', text: op.text }, limits.writeBytes),
  edit: (op, context) => ({ text: append(context, op.text) }),
})
