import { z } from 'zod'
import { checkSearch } from './checks.js'
import { linesTextField, literalField } from './fields.js'
import { guardText } from './guard-text.js'
import { defineTextOp } from './text-op.js'
import { insertLines as insert } from './whole-lines.js'

/** Inserts lines before a line. */
export const insertLines = defineTextOp({
  name: 'insert_lines',
  summary: 'Insert lines before a line.',
  fields: {
    line: z
      .int()
      .min(1)
      .describe(
        'The line to insert before, counted from 1 in the file as you read it; one past the last line appends.',
      ),
    text: linesTextField,
    literal: literalField.exactOptional(),
  },
  check: (op, limits) => checkSearch({ field: 'text', text: op.text }, limits.replaceChars),
  edit: (op, context) => {
    guardText(context, { field: 'text', ...op, at: op.line })
    return { text: insert(context, op.line, op.text) }
  },
})
