import type { MessageLine } from './message-lines.js'

/** The three lines that hold a block together, without white space at their ends. */
export interface BlockMarkers {
  readonly search: string
  readonly separator: string
  readonly replace: string
}

/** One text and what shall stand in its place. */
export interface SearchBlock {
  readonly line: number
  readonly search: readonly MessageLine[]
  readonly replace: readonly MessageLine[]
  /** The first line behind it, by its place in the list. */
  readonly next: number
}

export type BlockProblem =
  | 'nested_search_marker'
  | 'ambiguous_separator'
  | 'missing_separator'
  | 'block_unclosed'

/** Why a block cannot be read, and the line that shows it. */
export interface BrokenBlock {
  readonly problem: BlockProblem
  readonly line: number
}

/**
 * The block whose first marker stands at a line. Each marker stands alone on its line, once; lines
 * that only resemble them are text. Where a marker stands twice nobody can tell which is meant.
 */
export function readBlock(
  lines: readonly MessageLine[],
  at: number,
  markers: BlockMarkers,
): SearchBlock | BrokenBlock {
  const opener = lines[at]?.line ?? 0
  let separator: number | undefined
  for (let index = at + 1; index < lines.length; index += 1) {
    const { line, text } = lines[index] ?? { line: 0, text: '' }
    const marker = text.trimEnd()
    if (marker === markers.search) return { problem: 'nested_search_marker', line }
    if (marker === markers.separator) {
      if (separator !== undefined) return { problem: 'ambiguous_separator', line }
      separator = index
    }
    if (marker !== markers.replace) continue
    if (separator === undefined) return { problem: 'missing_separator', line }
    return {
      line: opener,
      search: lines.slice(at + 1, separator),
      replace: lines.slice(separator + 1, index),
      next: index + 1,
    }
  }
  return { problem: 'block_unclosed', line: opener }
}
