import { z } from 'zod'
import { expectedRevField, pathField } from '../ops/fields.js'
import { defineEditsDialect } from './dialect.js'
import { ladders } from './ladders.js'
import { replacingOp } from './replace-fields.js'

/**
 * One text in place of another, as the edit tool of opencode says it:
 *
 *     edit := { filePath, oldString, newString, replaceAll?, expected_rev? }
 *
 * The text is found exactly or not at all; a refusal then shows the file. An empty oldString creates
 * the file, which must not exist or be empty. The path is relative to the repository.
 */
export const opencode = defineEditsDialect({
  name: 'opencode',
  summary: 'Each edit replaces oldString by newString in one file, found exactly.',
  edit: z.strictObject({
    filePath: pathField,
    expected_rev: expectedRevField.exactOptional(),
    oldString: z
      .string()
      .describe('The text to replace, exactly as the file has it; empty to create the file.'),
    newString: z.string().describe('What shall stand there instead.'),
    replaceAll: z.boolean().exactOptional().describe('Replace every place, not the only one.'),
  }),
  toOps: (edit, { limits }) => {
    const said = {
      path: edit.filePath,
      rev: edit.expected_rev,
      find: edit.oldString,
      replace: edit.newString,
      all: edit.replaceAll,
      replaceField: 'newString',
    }
    return [replacingOp(said, { levels: ladders.opencode, onMiss: 'show_file' }, limits)]
  },
})
