import { z } from 'zod'
import type { OpBase } from '../../core/batch.js'
import { fitText } from '../../formats/text/fit-text.js'
import { locate } from '../../formats/text/locate.js'
import { checkSearch, checkText, type FieldText } from './checks.js'
import { allField, expectedCountField, findField, literalField } from './fields.js'
import { guardText } from './guard-text.js'
import { matchRules } from './match-rules.js'
import { defineTextOp, spliceText, type TextContext, type TextOutcome } from './text-op.js'

/** Replaces a text that stands in the file once, everywhere, or a said number of times. */
export const replaceText = defineTextOp({
  name: 'replace_text',
  summary:
    'Replace a text. It must stand in the file exactly once, unless you say all or expected_count.',
  fields: {
    find: findField,
    replace: z.string().describe('What shall stand there instead, taken literally.'),
    all: allField.exactOptional(),
    expected_count: expectedCountField.exactOptional(),
    literal: literalField.exactOptional(),
  },
  check: (op, limits) => {
    checkSearch({ field: 'find', text: op.find }, limits.findChars)
    checkText({ field: 'replace', text: op.replace }, limits.replaceChars)
  },
  edit: (op, context) => replaceFound(context, op, { field: 'replace', text: op.replace }),
})

/** Which places are meant: the only one, all of them, or the number that is said. */
export interface FoundPlaces extends Pick<OpBase, 'levels'> {
  readonly find: string
  readonly all?: boolean
  readonly expected_count?: number
}

/** Replaces the places where a text stands in the current text. */
export function replaceFound(
  context: TextContext,
  { find, all, expected_count, levels }: FoundPlaces,
  replace: FieldText,
): TextOutcome {
  const { normalise } = context.text.file
  const exchange = { find: normalise(find), text: normalise(replace.text) }
  const { places, ...match } = locate(
    context.text,
    {
      find: exchange.find,
      count: expected_count ?? (all === true ? 'all' : 'one'),
      replacement: exchange.text,
    },
    matchRules(context, levels),
  )
  guardText(context, { ...replace, at: context.text.lineAt(places[0]?.from ?? 0) })
  const fitted = places.map(place => fitText(context.text.table, place, exchange))
  return {
    text: spliceText(
      context,
      fitted.flatMap(({ replacements }) => replacements),
    ),
    ...match,
    ...(fitted.some(({ reindented }) => reindented) && { reindented: true }),
  }
}
