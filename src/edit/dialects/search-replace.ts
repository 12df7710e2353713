import { z } from 'zod'
import { invalid } from '../ops/checks.js'
import { expectedRevField, pathField } from '../ops/fields.js'
import { defineEditsDialect } from './dialect.js'
import { ladders } from './ladders.js'
import { replacingOp } from './replace-fields.js'

/**
 * One text in place of another, under the names that many agents know:
 *
 *     edit := { path | file_path, expected_rev?, old_string, new_string,
 *               replace_all?, expected_replacements? }
 *
 * The text is searched by five levels, strictest first. It must stand there once, unless replace_all
 * takes every place or expected_replacements says how many there are. An empty old_string creates
 * the file, which must not exist or be empty. Equal texts are refused: such an edit is a mistake.
 */
export const searchReplace = defineEditsDialect({
  name: 'search_replace',
  summary: 'Each edit replaces old_string by new_string in one file.',
  edit: z.strictObject({
    path: pathField.exactOptional(),
    file_path: pathField.exactOptional(),
    expected_rev: expectedRevField.exactOptional(),
    old_string: z
      .string()
      .describe('The text to replace, as the file has it; empty to create the file.'),
    new_string: z.string().describe('What shall stand there instead.'),
    replace_all: z.boolean().exactOptional().describe('Replace every place, not the only one.'),
    expected_replacements: z
      .int()
      .min(1)
      .exactOptional()
      .describe('How many places there are; any other number is refused. All are replaced.'),
  }),
  toOps: (edit, { limits }) => {
    const said = {
      path: namedPath(edit),
      rev: edit.expected_rev,
      find: edit.old_string,
      replace: edit.new_string,
      all: edit.replace_all,
      count: edit.expected_replacements,
      replaceField: 'new_string',
    }
    return [replacingOp(said, { levels: ladders.search_replace }, limits)]
  },
})

function namedPath(edit: { readonly path?: string; readonly file_path?: string }): string {
  const { path, file_path: filePath } = edit
  if (path !== undefined && filePath !== undefined) {
    throw invalid('file_path', 'is given beside path; only one of them can be the path')
  }
  const named = path ?? filePath
  if (named === undefined) throw invalid('path', 'is missing')
  return named
}
