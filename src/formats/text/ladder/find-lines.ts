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
  const keys = wanted.map(trimLineEnd)
  const starts = findSequence(search, {
    keys,
    isEqual: (line, at) => table.isTrimmedEnd(line, keys[at] ?? ''),
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
  const keys = wanted.map(trimLine)
  const starts = findSequence(search, {
    keys,
    isEqual: (line, at) => table.isTrimmed(line, keys[at] ?? ''),
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
  const normals = wanted.map(normalise)
  const indents = wanted.map((line, at) =>
    keepsIndent && normals[at] !== '' ? indentOf(line) : '',
  )
  const isNormal = (line: number, normal: string): boolean =>
    mayNormalise(table, line, normal) && joinRuns(table.trimmed(line)) === normal
  const starts = findSequence(search, {
    keys: normals.map((normal, at) => (indents[at] ?? '') + normal),
    isEqual: (line, at) =>
      isNormal(line, normals[at] ?? '') &&
      (!keepsIndent || normals[at] === '' || table.isIndented(line, indents[at] ?? '')),
    holds: start => keepsLiterals(search, start),
  })
  return candidates(search, starts)
}

/** A line without the white space around it, and with single spaces inside. */
export function normalise(line: string): string {
  return joinRuns(trimLine(line))
}

/** False for a line that cannot be the same with single spaces; cheaper than to make them. Runs are never at its ends. */
function mayNormalise(table: LineTable, line: number, normal: string): boolean {
  const length = table.trimmedLength(line)
  if (length === 0 || normal === '') return length === normal.length
  return (
    length >= normal.length &&
    table.firstUnit(line) === normal.charCodeAt(0) &&
    table.lastUnit(line) === normal.charCodeAt(normal.length - 1)
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
function joinRuns(line: string): string {
  if (line.length > normalisedChars || !/[ \t]{2}|\t/.test(line)) return line
  return line.replace(quotedOrRun, (run, quoted) => (quoted === undefined ? ' ' : run))
}
