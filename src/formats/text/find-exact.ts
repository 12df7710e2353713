import { findRuns } from './find-runs.js'
import type { Stretch } from './piece.js'

/** Above this many comparisons in the worst case the built-in search gives way to one that is always linear. */
const quickComparisons = 500_000_000

/** What a search may answer. */
export interface SearchBounds {
  readonly limit: number
  /** Whether a place may begin inside the one before it. */
  readonly overlap: 'kept' | 'dropped'
}

/** Every place, up to the limit, where a text stands exactly; `starts` is where the lines of the text begin. */
export function findExact(
  text: string,
  starts: readonly number[],
  wanted: string,
  { limit, overlap }: SearchBounds,
): readonly Stretch[] {
  const found = wanted.includes('\n')
    ? standingLines(text, starts, wanted)
    : text.length * wanted.length > quickComparisons
      ? standingParts(text, wanted)
      : quickly(text, wanted, overlap === 'kept' ? 1 : wanted.length)
  const places: Stretch[] = []
  let free = 0
  for (const from of found) {
    if (from < free) continue
    places.push({ from, to: from + wanted.length })
    if (places.length === limit) break
    if (overlap === 'dropped') free = from + wanted.length
  }
  return places
}

/**
 * Goes by the lines from the first break of the wanted text to its last, which are told apart by
 * their lengths; V8's own search takes ten times as long for a few lines. Always linear.
 */
function* standingLines(
  text: string,
  starts: readonly number[],
  wanted: string,
): Generator<number> {
  const [head = '', ...rest] = wanted.split('\n')
  const tail = rest.at(-1) ?? ''
  const whole = rest.slice(0, -1).map(line => `${line}\n`)
  const startOf = (line: number): number => starts[line] ?? text.length
  const isEqual = (line: number, at: number): boolean => {
    const start = startOf(line)
    const sought = whole[at] ?? ''
    return startOf(line + 1) - start === sought.length && text.startsWith(sought, start)
  }
  const search = { keys: whole, from: 1, to: starts.length, isEqual }
  for (const line of whole.length > 0 ? findRuns(search) : linesBelowFirst(text, starts)) {
    const from = startOf(line) - 1 - head.length
    const isWithin = from >= startOf(line - 1) && text.startsWith(head, from)
    if (isWithin && text.startsWith(tail, startOf(line + whole.length))) yield from
  }
}

/** The lines that come after a break, from 0; also the empty one behind the last break. */
function* linesBelowFirst(text: string, { length }: readonly number[]): Generator<number> {
  const end = text.endsWith('\n') ? length : length - 1
  for (let line = 1; line <= end; line += 1) yield line
}

function* quickly(text: string, wanted: string, step: number): Generator<number> {
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + step)) yield at
}

/** V8's own search takes seconds where a long text nearly repeats itself. */
function standingParts(text: string, wanted: string): Generator<number> {
  const keys = Uint16Array.from({ length: wanted.length }, (_, at) => wanted.charCodeAt(at))
  const isEqual = (at: number, other: number): boolean => text.charCodeAt(at) === keys[other]
  return findRuns({ keys, from: 0, to: text.length, isEqual })
}
