import { z } from 'zod'
import { Refusal } from '../../core/errors.js'
import { diagnoseMiss } from '../../formats/text/diagnose-miss.js'
import { findLines } from '../../formats/text/find-lines.js'
import { requireCount } from '../../formats/text/locate.js'
import type { Stretch } from '../../formats/text/piece.js'
import type { PieceText } from '../../formats/text/piece-text.js'
import { checkSearch, checkText } from './checks.js'
import { guardText } from './guard-text.js'
import { defineTextOp, spliceText, type TextContext } from './text-op.js'
import { closedLines, openLines } from './whole-lines.js'

/** Places that are looked for: one is wanted, and a refusal lists ten. */
const soughtPlaces = 11

/** Replaces whole lines that stand in the file once, exactly. Whether the file ends with a newline stays as it is. */
export const replaceBlock = defineTextOp({
  name: 'replace_block',
  summary: 'Replace whole lines.',
  fields: {
    search: z.string(),
    replace: z.string(),
    /** Of several places, the one that begins at this line of the file as it was read. */
    at_line: z.int().min(1).exactOptional(),
  },
  check: (op, limits) => {
    checkSearch({ field: 'search', text: op.search }, limits.findChars)
    checkText({ field: 'replace', text: op.replace }, limits.replaceChars)
  },
  edit: (op, context) => {
    const { text } = context
    const [search, replace] = [text.file.normalise(op.search), text.file.normalise(op.replace)]
    const places = findLines(text.table, search, soughtPlaces)
    if (places.length === 0) {
      const wanted = { find: search, count: 'one', replacement: replace } as const
      throw new Refusal('ZERO_MATCHES', { ...diagnoseMiss(text, wanted) })
    }
    const named = namedPlaces(context, places, op.at_line)
    return { text: replacePlace(context, named, replace), level: 'exact' }
  },
})

/** Replaces the only one of these places, each whole lines. */
export function replacePlace(
  context: TextContext,
  places: readonly Stretch[],
  replace: string,
): PieceText {
  const { text } = context
  requireCount(text, places, 'one')
  guardText(context, { field: 'replace', text: replace, at: text.lineAt(places[0]?.from ?? 0) })
  const isOpen = places[0]?.to === text.text.length && !text.text.endsWith('\n')
  const lines = isOpen ? openLines(replace) : closedLines(replace)
  return spliceText(
    context,
    places.map(place => ({ ...place, text: lines })),
  )
}

/** A line tells apart what else is the same; where nothing stands at it, it tells nothing. */
function namedPlaces(
  { text }: TextContext,
  places: readonly Stretch[],
  line: number | undefined,
): readonly Stretch[] {
  const named = places.filter(({ from }) => text.lineAt(from) === line)
  return named.length === 1 ? named : places
}
