import { foldConfusables, isTyped } from '../fold-confusables.js'
import { indentOf, trimLine } from '../indent.js'
import { candidates, keepsLiterals } from './find-lines.js'
import { findSequence } from './find-sequence.js'
import type { Candidate, LineSearch } from './level.js'

/**
 * `unicode_normalised`: as `line_trimmed`, and curly quotes, long dashes, odd spaces and the ellipsis
 * are as good as what a keyboard has for them. Whole lines, so that no character is cut in half; and
 * only what folds to the very same line, never by compatibility (a ligature is not its letters).
 * Off unless asked for. Alone it accepts `it’s – fine` for a wanted `it's - fine`.
 */
export function findFolded(search: LineSearch): readonly Candidate[] {
  const { table, wanted, whiteSpace } = search
  if ([table.text, ...wanted].every(isTyped)) return []
  const keepsIndent = whiteSpace.indentation !== 'free'
  const fold = (line: string): string => {
    const folded = foldConfusables(line)
    return (keepsIndent ? indentOf(folded) : '') + trimLine(folded)
  }
  const keys = wanted.map(fold)
  const firsts = keys.map(key => trimLine(key).charCodeAt(0))
  // What is typed at the head of a line stays there.
  const mayFold = (line: number, first: number | undefined): boolean =>
    table.trimmedLength(line) === 0 ||
    table.firstUnit(line) > 0x7f ||
    table.firstUnit(line) === first
  return candidates(
    search,
    findSequence(search, {
      keys,
      isEqual: (line, at) => mayFold(line, firsts[at]) && fold(table.line(line)) === keys[at],
      holds: start => keepsLiterals(search, start),
    }),
  )
}
