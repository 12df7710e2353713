import { locate, requireCount } from '../../formats/text/locate.js'
import type { Stretch } from '../../formats/text/piece.js'
import { spliceText, type TextContext, type TextOutcome } from './text-op.js'
import { closedLines, openLines } from './whole-lines.js'

/** Which lines are meant: those that contain a text; one, or the number that is said. */
export interface ContainingLines {
  readonly contains: string
  readonly expected_count?: number
}

/** Replaces every line of the current text that contains a text; no lines at all take them away. */
export function replaceLinesContaining(
  context: TextContext,
  { contains, expected_count }: ContainingLines,
  text: string,
): TextOutcome {
  const current = context.text.text
  const { level, places } = locate(context.text, { find: contains, count: 'all' })
  const lines = wholeLines(current, places)
  requireCount(context.text, lines, expected_count ?? 'one')
  const normal = context.text.file.normalise(text)
  const [closed, open] = [closedLines(normal), openLines(normal)]
  const replacements = lines.map(line => ({
    ...line,
    text: current[line.to - 1] === '\n' ? closed : open,
  }))
  return { text: spliceText(context, replacements), level }
}

/** The lines that hold the places, each once, with their breaks. */
function wholeLines(text: string, places: readonly Stretch[]): readonly Stretch[] {
  const lines: Stretch[] = []
  for (const place of places) {
    if (place.from < (lines.at(-1)?.to ?? 0)) continue
    const feed = text.indexOf('\n', place.from)
    const from = place.from === 0 ? 0 : text.lastIndexOf('\n', place.from - 1) + 1
    lines.push({ from, to: feed < 0 ? text.length : feed + 1 })
  }
  return lines
}
