import { indentOf, trimLine, trimLineEnd } from '../indent.js'
import type { LineTable } from '../line-table.js'
import { findSequence } from './find-sequence.js'
import type { Candidate, LineSearch } from './level.js'

/**
 * `trailing_whitespace`: whole lines that are equal but for the spaces and tabs at their ends.
 * Alone it accepts `x = 1` for a wanted `x = 1 ` of several lines.
 */
export function findTrailing(search: LineSearch): readonly Candidate[] {
  const { table, wanted } = search
  const starts = findSequence(search, {
    wantedKey: trimLineEnd,
    mayFit: looksLike(table, wanted.map(trimLine)),
    lineKey: line => table.trimmedEnd(line),
    holds: start => keepsLiterals(search, start),
  })
  return candidates(search, starts)
}

/**
 * `line_trimmed`: whole lines that are equal but for the white space around them. Where indentation
 * is meaning only that at the ends is ignored. Alone it accepts `\tgo()` for a wanted `  go()`.
 */
export function findTrimmed(search: LineSearch): readonly Candidate[] {
  const { table, wanted, whiteSpace } = search
  if (whiteSpace.indentation !== 'free') return findTrailing(search)
  const starts = findSequence(search, {
    wantedKey: trimLine,
    mayFit: looksLike(table, wanted.map(trimLine)),
    lineKey: line => table.trimmed(line),
    holds: start => keepsLiterals(search, start),
  })
  return candidates(search, starts)
}

/**
 * `whitespace_normalised`: as `line_trimmed`, and a run of spaces and tabs inside a line is as good
 * as one space, except inside quotes. Never none for one, and never over a break. Alone it accepts
 * `a  =  1` for a wanted `a = 1`.
 */
export function findNormalised(search: LineSearch): readonly Candidate[] {
  const { table, wanted, whiteSpace } = search
  const keepsIndent = whiteSpace.indentation !== 'free'
  const looksEqual = looksLike(table, wanted.map(normalise))
  const starts = findSequence(search, {
    wantedKey: line => (keepsIndent ? indentOf(line) : '') + normalise(line),
    mayFit: line => table.hasRun(line) || looksEqual(line),
    lineKey: line => (keepsIndent ? table.indent(line) : '') + joinRuns(table.trimmed(line)),
    holds: start => keepsLiterals(search, start),
  })
  return candidates(search, starts)
}

/** A line without the white space around it, and with single spaces inside. */
export function normalise(line: string): string {
  return joinRuns(trimLine(line))
}

/** Tells lines that are as long as one of these texts, and begin and end like it, but for the white space around them. */
export function looksLike(table: LineTable, texts: readonly string[]): (line: number) => boolean {
  const looks = new Set(
    texts.map(text => lookOf(text.length, text.charCodeAt(0), text.charCodeAt(text.length - 1))),
  )
  return line =>
    looks.has(lookOf(table.trimmedLength(line), table.firstUnit(line), table.lastUnit(line)))
}

/** One number for a few facts; two texts may share it. */
function lookOf(length: number, first: number, last: number): number {
  return length === 0 ? 0 : (length * 65_537 + first) * 31 + last
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
function joinRuns(line: string): string {
  if (line.length > normalisedChars || !/[ \t]{2}|\t/.test(line)) return line
  return line.replace(quotedOrRun, (run, quoted) => (quoted === undefined ? ' ' : run))
}
