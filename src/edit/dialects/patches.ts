import { z } from 'zod'
import { fixedLimits } from '../../core/limits.js'
import { invalid } from '../ops/checks.js'
import { expectedRevField, pathField } from '../ops/fields.js'
import { checkOp } from '../ops/parse-edit.js'
import { defineEditsDialect } from './dialect.js'
import { ladders } from './ladders.js'
import { fileOf } from './replace-fields.js'

const { callPatches, patchSearchChars, patchReplaceChars } = fixedLimits

/**
 * A few small replacements in one file, in order, each found in what those before it left:
 *
 *     edit := { path, expected_rev?, patches: [{ search, replace }] }
 *
 * One to eight patches, a search of at most 4,096 and a replacement of at most 8,192 characters. A
 * search must stand in the file once: exactly; else but for white space at the ends of lines; else
 * without the blank lines at its beginning and end, as whole lines. With `max_level: exact` only
 * the first. A patch that replaces a text by itself is refused.
 */
export const patches = defineEditsDialect({
  name: 'patches',
  summary: 'Each edit is one file and up to eight small patches for it, each search and replace.',
  edit: z.strictObject({
    path: pathField,
    expected_rev: expectedRevField.exactOptional(),
    patches: z
      .array(
        z.strictObject({
          search: z
            .string()
            .min(1)
            .max(patchSearchChars)
            .describe('The text to replace, as the file has it; it must stand there once.'),
          replace: z.string().max(patchReplaceChars).describe('What shall stand there instead.'),
        }),
      )
      .min(1)
      .max(callPatches)
      .describe('The patches, in order.'),
  }),
  toOps: (edit, { limits }) => {
    const file = fileOf(edit.path, edit.expected_rev)
    return edit.patches.map(({ search, replace }, index) => {
      if (search === replace) throw invalid(`patches.${index}.replace`, 'is the same as search')
      const levels = ladders.patches
      return checkOp({ op: 'replace_patch', ...file, levels, search, replace }, limits)
    })
  },
})
