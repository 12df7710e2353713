import { checkSearch } from './checks.js'
import { linesTextField, literalField, symbolField, withDocField } from './fields.js'
import { guardText } from './guard-text.js'
import { requireSymbol } from './require-symbol.js'
import { symbolLines } from './symbol-lines.js'
import { defineTextOp } from './text-op.js'
import { replaceLines } from './whole-lines.js'

/** Replaces a declaration: its whole statement with decorators. */
export const replaceSymbol = defineTextOp({
  name: 'replace_symbol',
  summary: 'Replace a function, class or other declaration, decorators included.',
  fields: {
    symbol: symbolField,
    text: linesTextField,
    with_doc: withDocField.exactOptional(),
    literal: literalField.exactOptional(),
  },
  check: (op, limits) => {
    checkSearch({ field: 'symbol', text: op.symbol }, limits.findChars)
    checkSearch({ field: 'text', text: op.text }, limits.replaceChars)
  },
  edit: async (op, context) => {
    const lines = symbolLines(await requireSymbol(context, op.symbol), op)
    guardText(context, { field: 'text', text: op.text, at: lines.start_line })
    return { text: replaceLines(context, lines, op.text) }
  },
})
