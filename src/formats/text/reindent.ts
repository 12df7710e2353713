import { indentOf, indentUnit, trimLine } from './indent.js'
import { lastAtMost } from './line-index.js'
import type { LineTable } from './line-table.js'

/** The indentation that a new line takes; `near` is the wanted line it stands for or follows. */
export type Reindent = (indent: string, near: number) => string

/**
 * How new lines are indented at a place that is indented otherwise than was asked for. A new line
 * that is indented as a wanted one takes what the nearest such line has in the file; one that is
 * deeper or shallower stays so by as many units, and the unit becomes that of the file. Where
 * nothing differs, and where the new text already stands as the file does, it is left as it is.
 */
export function reindenter(
  table: LineTable,
  lines: readonly (number | undefined)[],
  wanted: readonly string[],
  young: readonly string[],
): Reindent {
  const seen = sightings(table, lines, wanted)
  const asIs: Reindent = indent => indent
  if (seen.every(({ asked, actual }) => asked === actual)) return asIs
  const base = leastIndent(young.filter(isTold).map(indentOf))
  const askedBase = leastIndent(seen.map(({ asked }) => asked))
  if (base !== askedBase && base === leastIndent(seen.map(({ actual }) => actual))) return asIs
  const lost = lostShift(seen, young)
  if (lost !== undefined) return indent => lost + indent
  const byIndent = groupByIndent(seen)
  const units = unitsOf(table, seen, [...wanted, ...young])
  return (indent, near) =>
    sameIndent(byIndent, indent, near) ??
    deeperIndent(byIndent, indent, near, units) ??
    shallowerIndent(byIndent, indent, near, units) ??
    convert(indent, units)
}

/**
 * What all new lines are to be shifted by where only the first wanted line came without its
 * indentation, as a copy that begins at its first letter does, and the new text is dedented as a
 * whole. Its depths then mean nothing beside those of the other wanted lines.
 */
function lostShift(seen: readonly Sighting[], young: readonly string[]): string | undefined {
  const [first, ...rest] = seen
  if (first === undefined || rest.length === 0) return undefined
  const isLost = first.actual.endsWith(first.asked) && first.actual !== first.asked
  if (!isLost || rest.some(({ asked, actual }) => asked !== actual)) return undefined
  const [, ...others] = young.filter(isTold).map(indentOf)
  if (others.length === 0) return undefined
  const isDedented = leastIndent(others).length < leastIndent(rest.map(({ asked }) => asked)).length
  return isDedented ? first.actual.slice(first.asked.length) : undefined
}

/** The indentation of a wanted line as it was asked for, and as it stands. */
interface Sighting {
  readonly line: number
  /** The line of the file. */
  readonly place: number
  readonly asked: string
  readonly actual: string
}

function sightings(
  table: LineTable,
  lines: readonly (number | undefined)[],
  wanted: readonly string[],
): readonly Sighting[] {
  return wanted.flatMap((text, line) => {
    const place = lines[line]
    if (place === undefined || !isTold(text)) return []
    return [{ line, place, asked: indentOf(text), actual: table.indent(place) }]
  })
}

function isTold(line: string): boolean {
  return trimLine(line) !== ''
}

function leastIndent(indents: readonly string[]): string {
  return indents.reduce((a, b) => (b.length < a.length ? b : a), indents[0] ?? '')
}

/** Those that were asked for with one indentation. */
interface Group {
  readonly lines: number[]
  readonly actual: string[]
}

type ByIndent = ReadonlyMap<string, Group>

function groupByIndent(seen: readonly Sighting[]): ByIndent {
  const groups = new Map<string, Group>()
  for (const { line, asked, actual } of seen) {
    const group = groups.get(asked) ?? { lines: [], actual: [] }
    group.lines.push(line)
    group.actual.push(actual)
    groups.set(asked, group)
  }
  return groups
}

/** What the file has for an indentation that was asked for, at the nearest line, of two the earlier one. */
function sameIndent(byIndent: ByIndent, asked: string, near: number): string | undefined {
  const group = byIndent.get(asked)
  if (group === undefined) return undefined
  const index = lastAtMost(group.lines, near)
  const [before, after] = [group.lines[index], group.lines[index + 1]]
  const isAfter = before === undefined || (after !== undefined && after - near < near - before)
  return group.actual[isAfter ? index + 1 : index]
}

function deeperIndent(
  byIndent: ByIndent,
  indent: string,
  near: number,
  units: Units,
): string | undefined {
  const known = [...byIndent.keys()].filter(asked => indent.startsWith(asked))
  if (known.length === 0) return undefined
  const longest = known.reduce((a, b) => (b.length > a.length ? b : a))
  const actual = sameIndent(byIndent, longest, near) ?? ''
  return actual + convert(indent.slice(longest.length), units)
}

function shallowerIndent(
  byIndent: ByIndent,
  indent: string,
  near: number,
  units: Units,
): string | undefined {
  const known = [...byIndent.keys()].filter(asked => asked.startsWith(indent))
  if (known.length === 0) return undefined
  const shortest = leastIndent(known)
  const actual = sameIndent(byIndent, shortest, near) ?? ''
  const surplus = convert(shortest.slice(indent.length), units)
  return actual.slice(0, Math.max(0, actual.length - surplus.length))
}

/** One step of indentation as the new text has it, and as the file has it. */
interface Units {
  readonly asked: string
  readonly actual: string
}

function convert(indent: string, { asked, actual }: Units): string {
  if (asked === actual) return indent
  let converted = ''
  for (let at = 0; at < indent.length; ) {
    const isUnit = indent.startsWith(asked, at)
    const isTab = indent[at] === '\t' && actual !== '\t'
    converted += isUnit || isTab ? actual : indent[at]
    at += isUnit ? asked.length : 1
  }
  return converted
}

/** Lines around the place by which the unit of the file is judged. */
const judgedLines = 400

function unitsOf(table: LineTable, seen: readonly Sighting[], sent: readonly string[]): Units {
  const shown = shownUnits(seen)
  if (shown !== undefined) return shown
  const place = seen[0]?.place ?? 0
  const around = Array.from({ length: 2 * judgedLines }, (_, index) =>
    table.line(place - judgedLines + index),
  )
  const actual = indentUnit(around)
  const asked = indentUnit(sent)
  return actual === undefined || asked === undefined
    ? { asked: ' ', actual: ' ' }
    : { asked, actual }
}

/** The smallest step that the wanted lines and those of the file take together. */
function shownUnits(seen: readonly Sighting[]): Units | undefined {
  const distinct = [...new Map(seen.map(one => [one.asked, one])).values()]
  const steps = distinct.flatMap(outer =>
    distinct.flatMap(inner => {
      const isStep = isDeeper(inner.asked, outer.asked) && isDeeper(inner.actual, outer.actual)
      if (!isStep) return []
      const asked = inner.asked.slice(outer.asked.length)
      return [{ asked, actual: inner.actual.slice(outer.actual.length) }]
    }),
  )
  const [first] = steps
  return (
    first && reduceStep(steps.reduce((a, b) => (b.asked.length < a.asked.length ? b : a), first))
  )
}

function isDeeper(inner: string, outer: string): boolean {
  return inner.length > outer.length && inner.startsWith(outer)
}

/** Four spaces for two tabs are two for one. */
function reduceStep({ asked, actual }: Units): Units {
  const divisor = greatestDivisor(asked.length, actual.length)
  return {
    asked: asked.slice(0, asked.length / divisor),
    actual: actual.slice(0, actual.length / divisor),
  }
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b)
}
