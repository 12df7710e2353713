import { checkSearch } from './checks.js'
import { symbolField, withDocField } from './fields.js'
import { requireSymbol } from './require-symbol.js'
import { symbolLines } from './symbol-lines.js'
import { defineTextOp } from './text-op.js'
import { replaceLines } from './whole-lines.js'

/** Deletes a declaration: its whole statement with decorators. */
export const deleteSymbol = defineTextOp({
  name: 'delete_symbol',
  summary: 'Delete a function, class or other declaration, decorators included.',
  fields: { symbol: symbolField, with_doc: withDocField.exactOptional() },
  check: (op, limits) => checkSearch({ field: 'symbol', text: op.symbol }, limits.findChars),
  edit: async (op, context) => {
    const lines = symbolLines(await requireSymbol(context, op.symbol), op)
    return { text: replaceLines(context, lines, '') }
  },
})
