import { indentOf, trimLine, trimLineEnd } from '../indent.js'
import { findSequence } from './find-sequence.js'
import type { Candidate, LineSearch } from './level.js'

/**
 * `trailing_whitespace`: whole lines that are equal but for the spaces and tabs at their ends.
 * Alone it accepts `x = 1` for a wanted `x = 1 ` of several lines.
 */
export function findTrailing(search: LineSearch): readonly Candidate[] {
  const { table } = search
  return candidates(
    search,
    findSequence(search, {
      wantedKey: trimLineEnd,
      lineKey: line => trimLineEnd(table.line(line)),
      holds: start => keepsLiterals(search, start),
    }),
  )
}

/**
 * `line_trimmed`: whole lines that are equal but for the white space around them. Where indentation
 * is meaning only that at the ends is ignored. Alone it accepts `\tgo()` for a wanted `  go()`.
 */
export function findTrimmed(search: LineSearch): readonly Candidate[] {
  const { table, whiteSpace } = search
  if (whiteSpace.indentation !== 'free') return findTrailing(search)
  return candidates(
    search,
    findSequence(search, {
      wantedKey: trimLine,
      lineKey: line => table.trimmed(line),
      holds: start => keepsLiterals(search, start),
    }),
  )
}

/**
 * `whitespace_normalised`: as `line_trimmed`, and a run of spaces and tabs inside a line is as good
 * as one space, except inside quotes. Never none for one, and never over a break. Alone it accepts
 * `a  =  1` for a wanted `a = 1`.
 */
export function findNormalised(search: LineSearch): readonly Candidate[] {
  const { table, whiteSpace } = search
  const keepsIndent = whiteSpace.indentation !== 'free'
  const indent = (line: string): string => (keepsIndent ? indentOf(line) : '')
  return candidates(
    search,
    findSequence(search, {
      wantedKey: line => indent(line) + joinRuns(trimLine(line)),
      lineKey: line => (keepsIndent ? table.indent(line) : '') + joinRuns(table.trimmed(line)),
      holds: start => keepsLiterals(search, start),
    }),
  )
}

/** True where every line whose white space is meaning stands there byte for byte. */
export function keepsLiterals(
  { table, wanted, whiteSpace, budget }: LineSearch,
  start: number,
): boolean {
  budget.spend(wanted.length)
  return wanted.every(
    (line, index) =>
      table.line(start + index) === line || !whiteSpace.isLiteral(table, start + index),
  )
}

/** Whole blocks of lines, one for each wanted line. */
export function candidates(
  { wanted }: LineSearch,
  starts: readonly number[],
): readonly Candidate[] {
  return starts.map(start => ({
    start,
    end: start + wanted.length,
    lines: wanted.map((_, index) => start + index),
  }))
}

/** Characters of a line in which runs are looked for; a longer one is taken as it stands. */
const normalisedChars = 1_000

const quotedOrRun = /("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`)|[ \t]+/g

/** Runs of white space outside quotes as one space each. A quote that is not closed on its line is a letter. */
export function joinRuns(line: string): string {
  if (line.length > normalisedChars || !/[ \t]{2}|\t/.test(line)) return line
  return line.replace(quotedOrRun, (run, quoted) => (quoted === undefined ? ' ' : run))
}
