import { indentOf, trimLine } from '../indent.js'
import { candidates, keepsLiterals } from './find-lines.js'
import { findSequence } from './find-sequence.js'
import type { Candidate, LineSearch } from './level.js'

/**
 * `indentation_flexible`: whole lines that are equal but for their indentation, and that differs by
 * one rule for all of them: one shift, or one unit for another (tabs for spaces, two for four), so
 * that what is nested stays nested. Alone it accepts a block of Python that was sent without the
 * indentation of its class; where indentation is layout `line_trimmed` has taken that before.
 */
export function findShifted(search: LineSearch): readonly Candidate[] {
  const { table, wanted, whiteSpace } = search
  const isTaken = whiteSpace.indentation === 'free' && search.levels.includes('line_trimmed')
  if (whiteSpace.indentation === 'fixed' || isTaken) return []
  const indents = wanted.map(indentOf)
  const keys = wanted.map(trimLine)
  return candidates(
    search,
    findSequence(search, {
      keys,
      isEqual: (line, at) => table.isTrimmed(line, keys[at] ?? ''),
      holds: start =>
        keepsLiterals(search, start) &&
        keepsStructure(
          wanted.flatMap((line, index) =>
            trimLine(line) === ''
              ? []
              : [{ wanted: indents[index] ?? '', actual: table.indent(start + index) }],
          ),
        ),
    }),
  )
}

/** The indentation of a line as it was asked for and as it stands. */
export interface IndentPair {
  readonly wanted: string
  readonly actual: string
}

/** True where one rule leads from every wanted indentation to the one that stands there. */
export function keepsStructure(pairs: readonly IndentPair[]): boolean {
  const [first] = pairs
  if (first === undefined) return true
  const base = pairs.reduce((a, b) => (b.wanted.length < a.wanted.length ? b : a), first)
  const isNested = pairs.every(
    ({ wanted, actual }) => wanted.startsWith(base.wanted) && actual.startsWith(base.actual),
  )
  if (!isNested) return false
  const steps = pairs.map(({ wanted, actual }) => ({
    wanted: wanted.slice(base.wanted.length),
    actual: actual.slice(base.actual.length),
  }))
  return steps.every(({ wanted, actual }) => wanted === actual) || haveOneScale(steps)
}

/** True where every step is so many of one character for so many of another. */
function haveOneScale(steps: readonly IndentPair[]): boolean {
  const scale = steps.find(({ wanted }) => wanted !== '')
  if (scale === undefined || scale.actual === '') return false
  return steps.every(
    ({ wanted, actual }) =>
      consistsOf(wanted, scale.wanted[0] ?? '') &&
      consistsOf(actual, scale.actual[0] ?? '') &&
      wanted.length * scale.actual.length === actual.length * scale.wanted.length,
  )
}

function consistsOf(indent: string, unit: string): boolean {
  return indent === unit.repeat(indent.length)
}
