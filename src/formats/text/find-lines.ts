import { findExact } from './find-exact.js'
import { lineStarts } from './line-index.js'
import type { LineTable } from './line-table.js'
import type { Stretch } from './piece.js'

/**
 * Every place, up to the limit, where lines stand as whole lines, with their breaks. Whether the
 * wanted text ends with a newline does not matter: a last line that just stops is a line too.
 */
export function findLines(
  { text, starts }: Pick<LineTable, 'text' | 'starts'>,
  wanted: string,
  limit: number,
): readonly Stretch[] {
  if (text === '') return []
  // A break before the first line and behind the last lets every line be found in the same way.
  const view = `\n${closed(text)}`
  const sought = `\n${closed(wanted)}`
  const lines = [0, ...starts.map(start => start + 1)]
  return findExact(view, lines, sought, { limit, overlap: 'kept' }).map(({ from }) => ({
    from,
    to: Math.min(from + sought.length - 1, text.length),
  }))
}

/** The text without the blank lines at its beginning and end, and how many there were. */
export function trimBlankLines(text: string): {
  readonly before: number
  readonly body: string
  readonly after: number
} {
  const lines = lineStarts(text).map((start, index, starts) =>
    text.slice(start, starts[index + 1] ?? text.length),
  )
  const first = lines.findIndex(line => line.trim() !== '')
  if (first < 0) return { before: lines.length, body: '', after: 0 }
  const last = lines.findLastIndex(line => line.trim() !== '')
  return {
    before: first,
    body: lines.slice(first, last + 1).join(''),
    after: lines.length - 1 - last,
  }
}

function closed(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}
