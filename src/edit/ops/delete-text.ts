import { checkSearch } from './checks.js'
import { allField, expectedCountField, findField } from './fields.js'
import { replaceFound } from './replace-text.js'
import { defineTextOp } from './text-op.js'

/** Deletes a text that stands in the file once, everywhere, or a said number of times. */
export const deleteText = defineTextOp({
  name: 'delete_text',
  summary:
    'Delete a text. It must stand in the file exactly once, unless you say all or expected_count.',
  fields: {
    find: findField,
    all: allField.exactOptional(),
    expected_count: expectedCountField.exactOptional(),
  },
  check: (op, limits) => checkSearch({ field: 'find', text: op.find }, limits.findChars),
  edit: (op, context) => replaceFound(context, op, { field: 'find', text: '' }),
})
