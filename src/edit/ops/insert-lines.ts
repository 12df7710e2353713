import { z } from 'zod'
import { checkSearch } from './checks.js'
import { linesTextField } from './fields.js'
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
  },
  check: (op, limits) => checkSearch({ field: 'text', text: op.text }, limits.replaceChars),
  edit: (op, context) => ({ text: insert(context, op.line, op.text) }),
})
