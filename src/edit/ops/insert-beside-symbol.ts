import type { CodeSymbol } from '../../core/outline.js'
import { checkSearch } from './checks.js'
import { linesTextField, literalField, symbolField } from './fields.js'
import { guardText } from './guard-text.js'
import type { OpType } from './op-type.js'
import { requireSymbol } from './require-symbol.js'
import { defineTextOp } from './text-op.js'
import { insertLines } from './whole-lines.js'

const fields = {
  symbol: symbolField,
  text: linesTextField,
  literal: literalField.exactOptional(),
}

/** Inserts lines before a declaration and the comment that belongs to it. */
export const insertBeforeSymbol = defineInsert(
  {
    name: 'insert_before_symbol',
    summary: 'Insert lines before a declaration and the comment directly above it.',
  },
  ({ start_line, doc_start_line = start_line }) => doc_start_line,
)

/** Inserts lines after a declaration. */
export const insertAfterSymbol = defineInsert(
  { name: 'insert_after_symbol', summary: 'Insert lines after a declaration.' },
  ({ end_line }) => end_line + 1,
)

function defineInsert<const Name extends string>(
  about: { readonly name: Name; readonly summary: string },
  lineOf: (symbol: CodeSymbol) => number,
): OpType<Name, typeof fields> {
  return defineTextOp<Name, typeof fields>({
    ...about,
    fields,
    check: (op, limits) => {
      checkSearch({ field: 'symbol', text: op.symbol }, limits.findChars)
      checkSearch({ field: 'text', text: op.text }, limits.replaceChars)
    },
    edit: async (op, context) => {
      const line = lineOf(await requireSymbol(context, op.symbol))
      guardText(context, { field: 'text', text: op.text, at: line })
      return { text: insertLines(context, line, op.text) }
    },
  })
}
