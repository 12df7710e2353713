import { z } from 'zod'
import { locate } from '../../formats/text/locate.js'
import { checkSearch, checkText } from './checks.js'
import { allField, expectedCountField, findField } from './fields.js'
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
  },
  check: (op, limits) => {
    checkSearch({ field: 'find', text: op.find }, limits.findChars)
    checkText({ field: 'replace', text: op.replace }, limits.replaceChars)
  },
  edit: (op, context) => replaceFound(context, op, op.replace),
})

/** Which places are meant: the only one, all of them, or the number that is said. */
export interface FoundPlaces {
  readonly find: string
  readonly all?: boolean
  readonly expected_count?: number
}

/** Replaces the places where a text stands in the current text. */
export function replaceFound(
  context: TextContext,
  { find, all, expected_count }: FoundPlaces,
  replace: string,
): TextOutcome {
  const { normalise } = context.text.file
  const text = normalise(replace)
  const { level, places } = locate(context.text, {
    find: normalise(find),
    count: expected_count ?? (all === true ? 'all' : 'one'),
    replacement: text,
  })
  return {
    text: spliceText(
      context,
      places.map(place => ({ ...place, text })),
    ),
    level,
  }
}
