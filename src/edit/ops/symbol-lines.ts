import type { CodeSymbol } from '../../core/outline.js'
import type { ReadLines } from './whole-lines.js'

/** The lines of a whole statement, with the comment above it where that is asked for. */
export function symbolLines(
  { start_line, end_line, doc_start_line = start_line }: CodeSymbol,
  { with_doc: withDoc }: { readonly with_doc?: boolean },
): ReadLines {
  return { start_line: withDoc ? doc_start_line : start_line, end_line }
}
