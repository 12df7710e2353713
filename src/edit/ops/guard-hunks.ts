import { Refusal } from '../../core/errors.js'
import type { MatchLevel } from '../../core/receipt.js'
import { excerptLine } from '../../formats/text/excerpt.js'
import type { SoughtLines } from '../../formats/text/seek-lines.js'
import { guardText } from './guard-text.js'
import { addedLines, type PlacedHunk } from './hunk.js'
import { type HunkField, placeInPatch } from './hunk-refusals.js'
import type { TextContext } from './text-op.js'

type Placed = PlacedHunk<MatchLevel>

/** Refuses new lines of hunks that look like a slip, unless the op says that they are none. */
export function guardHunks(
  context: TextContext,
  { haystack, sought }: HunkField,
  placed: readonly Placed[],
): void {
  if (context.literal) return
  for (const one of placed) {
    const { hunk, lines, at } = one
    const added = addedLines(lines)
    if (added.length === 0) continue
    const before = lines.findIndex(({ kind }) => kind !== 'context')
    const text = added.join('\n')
    const line = haystack.lineAt(sought.startOf(at + before))
    guardText(context, { field: 'patch', text, at: line, within: placeInPatch(hunk) })
    requireTabs(sought, one)
  }
}

/** A backslash and a `t` where an indentation should be; one alone may begin a word, as `\textbf` does. */
const escapedIndent = /^\s*\\t(?:\\t|[^A-Za-z]|$)/

/** Refuses new lines that are indented by the escape of a tab instead of a tab, unless the file has such lines. */
function requireTabs(sought: SoughtLines, { hunk, lines }: Placed): void {
  const added = addedLines(lines)
  const index = added.findIndex(text => escapedIndent.test(text))
  const text = added[index]
  if (text === undefined || hasEscapedIndent(sought)) return
  throw new Refusal('SUSPECT_TEXT', {
    field: 'patch',
    ...placeInPatch(hunk),
    kind: 'escapes',
    line: index + 1,
    text: excerptLine(text),
    suggestion: excerptLine(text.replaceAll('\\t', '\t')),
  })
}

function hasEscapedIndent(sought: SoughtLines): boolean {
  for (let line = 0; line < sought.count; line += 1) {
    if (escapedIndent.test(sought.lineAt(line))) return true
  }
  return false
}
