import { checkLineOrder, checkText } from './checks.js'
import {
  endLineField,
  expectPrefixField,
  linesTextField,
  literalField,
  startLineField,
} from './fields.js'
import { guardText } from './guard-text.js'
import { defineTextOp } from './text-op.js'
import { replaceLines as replace } from './whole-lines.js'

/** Replaces a range of lines. */
export const replaceLines = defineTextOp({
  name: 'replace_lines',
  summary: 'Replace a range of lines.',
  fields: {
    start_line: startLineField,
    end_line: endLineField,
    text: linesTextField,
    expect_prefix: expectPrefixField.exactOptional(),
    literal: literalField.exactOptional(),
  },
  check: (op, limits) => {
    checkLineOrder(op)
    checkText({ field: 'text', text: op.text }, limits.replaceChars)
    checkText({ field: 'expect_prefix', text: op.expect_prefix ?? '' }, limits.findChars)
  },
  edit: (op, context) => {
    guardText(context, { field: 'text', ...op, at: op.start_line })
    return { text: replace(context, op, op.text) }
  },
})
