import type { LineHunk } from './align-lines.js'
import type { Place } from './haystack.js'
import { indentOf, trimLine, trimLineEnd } from './indent.js'
import { type Exchange, exchangeLines, type LineExchange } from './line-exchange.js'
import type { LineTable } from './line-table.js'
import type { Replacement } from './piece-text.js'
import { type Reindent, reindenter } from './reindent.js'

/** What a new text comes to at the place it goes. */
export interface Fitted {
  /** Sorted and disjoint. */
  readonly replacements: readonly Replacement[]
  /** The new text was indented as the place is. */
  readonly reindented: boolean
}

/**
 * Puts a new text where the old one was found. Found exactly, it is taken as it is. Found more
 * leniently, it is whole lines, and the difference between the old and the new text is what is
 * done: lines that both have in common keep the bytes of the file, changed ones keep the white
 * space around them unless the change is about that, and new ones are indented as their place is.
 */
export function fitText(table: LineTable, place: Place, exchange: Exchange): Fitted {
  const { from, to, lines } = place
  if (lines === undefined) {
    return { replacements: [{ from, to, text: exchange.text }], reindented: false }
  }
  const parts = exchangeLines(exchange)
  const reindent = reindenter(table, lines, parts.wanted, parts.young)
  const fitted = parts.hunks.map(hunk => fitHunk({ ...parts, table, lines, reindent }, hunk))
  return {
    replacements: fitted.map(({ replacement }) => replacement),
    reindented: fitted.some(({ reindented }) => reindented),
  }
}

interface Fitting extends LineExchange {
  readonly table: LineTable
  readonly lines: readonly (number | undefined)[]
  readonly reindent: Reindent
}

function fitHunk(
  fitting: Fitting,
  hunk: LineHunk,
): { readonly replacement: Replacement; readonly reindented: boolean } {
  const { oldStart, newStart, newEnd } = hunk
  const sent = fitting.young.slice(newStart, newEnd)
  const fitted = sent.map((line, index) => fitLine(fitting, hunk, line, oldStart + index))
  const { start, end } = linesOf(fitting, hunk)
  return {
    replacement: wholeLines(fitting.table, start, end, fitted),
    reindented: fitted.some((line, index) => indentOf(line) !== indentOf(sent[index] ?? '')),
  }
}

/** The lines of the file that a hunk takes; none where it only puts some in. */
function linesOf(
  { table, lines }: Fitting,
  { oldStart, oldEnd }: LineHunk,
): { readonly start: number; readonly end: number } {
  const before = lines[oldStart - 1]
  const start =
    (oldStart < oldEnd ? lines[oldStart] : undefined) ??
    (before === undefined ? (lines[0] ?? table.count) : before + 1)
  const last = oldStart < oldEnd ? lines[oldEnd - 1] : undefined
  return { start, end: last === undefined ? start : last + 1 }
}

/** Lines for lines: each new one stands for the wanted one at its place. */
function fitLine(fitting: Fitting, hunk: LineHunk, line: string, stands: number): string {
  const { wanted, lines, table, reindent } = fitting
  const { oldStart, oldEnd, newStart, newEnd } = hunk
  if (trimLine(line) === '') return line
  const near = Math.max(0, Math.min(stands, oldEnd - 1))
  const indented = reindent(indentOf(line), near) + line.slice(indentOf(line).length)
  const actual = lines[stands]
  const isChanged = oldEnd - oldStart === newEnd - newStart && actual !== undefined
  if (!isChanged || endOf(wanted[stands] ?? '') !== endOf(line)) return indented
  return trimLineEnd(indented) + endOf(table.line(actual))
}

/** The spaces and tabs at the end of a line. */
function endOf(line: string): string {
  return trimLine(line) === '' ? '' : line.slice(trimLineEnd(line).length)
}

/** A replacement of whole lines. A last line that just stops goes on just stopping. */
function wholeLines(
  table: LineTable,
  start: number,
  end: number,
  lines: readonly string[],
): Replacement {
  const stretch = { from: table.start(start), to: table.start(end) }
  const isOpen = end === table.count && !table.text.endsWith('\n')
  if (lines.length === 0) return { ...stretch, text: '' }
  const text = lines.join('\n')
  if (!isOpen) return { ...stretch, text: `${text}\n` }
  return { ...stretch, text: start === end ? `\n${text}` : text }
}
