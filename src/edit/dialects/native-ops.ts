import { editSchema, parseEdit } from '../ops/parse-edit.js'
import { defineEditsDialect } from './dialect.js'

/** The ops themselves, each an object that names its op. Nothing is translated. */
export const nativeOps = defineEditsDialect({
  name: 'ops',
  summary: 'Each edit names its op, such as replace_text, insert_lines or write_file.',
  edit: editSchema,
  toOps: (edit, { limits }) => [parseEdit(edit, limits)],
})
