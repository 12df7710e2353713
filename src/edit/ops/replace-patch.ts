import { z } from 'zod'
import type { OpBase } from '../../core/batch.js'
import { Refusal } from '../../core/errors.js'
import { fixedLimits } from '../../core/limits.js'
import { permittedLevels } from '../../core/matching.js'
import { findLines, trimBlankLines } from '../../formats/text/find-lines.js'
import { checkSearch, checkText } from './checks.js'
import { replacePlace } from './replace-block.js'
import { replaceFound } from './replace-text.js'
import { defineTextOp, type TextContext, type TextOutcome } from './text-op.js'

/** Replaces a text that stands in the file once; blank lines around it may be missing there. */
export const replacePatch = defineTextOp({
  name: 'replace_patch',
  summary: 'Replace a text; blank lines around it are ignored where it is not found with them.',
  fields: { search: z.string(), replace: z.string() },
  check: op => {
    checkSearch({ field: 'search', text: op.search }, fixedLimits.patchSearchChars)
    checkText({ field: 'replace', text: op.replace }, fixedLimits.patchReplaceChars)
  },
  edit: (op, context) => {
    try {
      return replaceFound(
        context,
        { ...op, find: op.search },
        { field: 'replace', text: op.replace },
      )
    } catch (refusal) {
      const isMiss = refusal instanceof Refusal && refusal.code === 'ZERO_MATCHES'
      const outcome = isMiss ? replaceInner(context, op) : undefined
      if (outcome === undefined) throw refusal
      return outcome
    }
  },
})

interface Patch extends Pick<OpBase, 'levels'> {
  readonly search: string
  readonly replace: string
}

/** Without the outer blank lines the text is whole lines, so that it cannot be found inside of a line. */
function replaceInner(
  context: TextContext,
  { search, replace, levels }: Patch,
): TextOutcome | undefined {
  const { normalise } = context.text.file
  const isLenient = permittedLevels(levels, context.matching).includes('trailing_whitespace')
  const sought = trimBlankLines(normalise(search))
  if (!isLenient || sought.body === '' || sought.before + sought.after === 0) return undefined
  const places = findLines(context.text.table, sought.body, 2)
  if (places.length === 0) return undefined
  const text = replacePlace(context, places, withoutBlankLines(normalise(replace), sought))
  return { text, level: 'trailing_whitespace' }
}

/** As many outer blank lines less as the text to find had; others are new and stay. */
function withoutBlankLines(
  text: string,
  missing: { readonly before: number; readonly after: number },
): string {
  const { before, body, after } = trimBlankLines(text)
  const [above, below] = [before - missing.before, after - missing.after]
  if (body === '') return '\n'.repeat(Math.max(0, above - missing.after))
  const end = below > 0 && !body.endsWith('\n') ? '\n' : ''
  return `${'\n'.repeat(Math.max(0, above))}${body}${end}${'\n'.repeat(Math.max(0, below))}`
}
