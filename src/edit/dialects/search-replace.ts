import { z } from 'zod'
import { parseRepoPath } from '../../core/repo-path.js'
import { expectedRevField, pathField } from '../ops/fields.js'
import { checkOp, parseExpectedRev } from '../ops/parse-edit.js'
import { defineEditsDialect } from './dialect.js'

/**
 * One text in place of another, under the names that many agents know:
 *
 *     edit := { path | file_path, expected_rev?, old_string, new_string, replace_all? }
 *
 * An empty old_string creates the file, which must not exist. The text is searched by all five
 * levels, strictest first; it must stand there once unless replace_all is said.
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
  }),
  toOps: (edit, { limits }) => {
    const {
      old_string: find,
      new_string: replace,
      replace_all: all = false,
      expected_rev: rev,
    } = edit
    const path = parseRepoPath(namedPath(edit))
    const common = { path, ...(rev !== undefined && { expected_rev: parseExpectedRev(rev) }) }
    return [
      checkOp(
        find === ''
          ? {
              op: 'write_file',
              ...common,
              expected_rev: common.expected_rev ?? null,
              text: replace,
            }
          : { op: 'replace_text', ...common, find, replace, all },
        limits,
      ),
    ]
  },
})

function namedPath(edit: { readonly path?: string; readonly file_path?: string }): string {
  const { path, file_path: filePath } = edit
  return path ?? filePath ?? ''
}
