import { z } from 'zod'
import { invalid } from '../ops/checks.js'
import { expectedRevField, pathField } from '../ops/fields.js'
import { checkOp } from '../ops/parse-edit.js'
import { defineEditsDialect } from './dialect.js'
import { fileOf } from './replace-fields.js'

/**
 * A whole new content for a file, stored byte for byte as UTF-8:
 *
 *     edit := { path, expected_rev, content | text }
 *
 * It replaces the file of that revision, or creates one where the revision is null or "new".
 */
export const wholeFile = defineEditsDialect({
  name: 'whole_file',
  summary: 'Each edit gives the whole new content of one file.',
  edit: z.strictObject({
    path: pathField,
    expected_rev: expectedRevField.exactOptional(),
    content: z.string().exactOptional().describe('The whole content.'),
    text: z.string().exactOptional().describe('Another name for content.'),
  }),
  toOps: ({ path, expected_rev: rev, content, text }, { limits }) => {
    if (content !== undefined && text !== undefined) {
      throw invalid('text', 'is given beside content; only one of them can be the content')
    }
    const whole = content ?? text
    if (whole === undefined) throw invalid('content', 'is missing')
    return [checkOp({ op: 'write_file', ...fileOf(path, rev), text: whole }, limits)]
  },
})
