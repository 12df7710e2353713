/** How one line ends; '' for a last line that just stops. */
export type Ending = '' | '\n' | '\r\n' | '\r'

/** The lines of a text, from 1. Offsets are those of the normalised text, in which every break is one LF. */
export interface LineIndex {
  readonly count: number
  /** What most breaks of the text are; undefined where there is none. */
  readonly dominantEnding: Ending | undefined
  /** True where no two breaks differ. */
  readonly isUniform: boolean
  /** True where the last line has a break of its own. */
  readonly hasFinalNewline: boolean
  /** Where each line begins. */
  readonly starts: readonly number[]
  /** Where a line begins; one past the last line, where the text ends. */
  startOf(line: number): number
  /** Where the break of a line stands, or the text ends. */
  endOf(line: number): number
  endingOf(line: number): Ending
  /** The line that holds an offset; at the very end of a text that ends with a break, one past the last. */
  lineAt(offset: number): number
  /** The same place in the text as it stood before its breaks were normalised. */
  rawOffset(offset: number): number
}

export interface NormalisedText {
  readonly text: string
  readonly lines: LineIndex
}

/** Turns every break into LF. A lone CR is a break only where there is no LF at all. */
export function feedBreaks(raw: string): string {
  if (!raw.includes('\r')) return raw
  return raw.includes('\n') ? raw.replaceAll('\r\n', '\n') : raw.replaceAll('\r', '\n')
}

/** The same, with the lines of the text. */
export function normaliseBreaks(raw: string): NormalisedText {
  const text = feedBreaks(raw)
  const starts = lineStarts(text)
  const isPlain = text.length === raw.length
  const shifts = isPlain ? undefined : countCarriageReturns(raw, starts)
  const carriage = raw.includes('\n') ? '\n' : '\r'
  return { text, lines: makeIndex(text, starts, shifts, carriage) }
}

/** Where each line begins. */
export function lineStarts(text: string): readonly number[] {
  const starts: number[] = []
  for (let at = 0; at < text.length; ) {
    starts.push(at)
    const feed = text.indexOf('\n', at)
    at = feed < 0 ? text.length : feed + 1
  }
  return starts
}

/** The last place of a sorted list that is not above the wanted value; -1 where all are. */
export function lastAtMost(sorted: ArrayLike<number>, wanted: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] ?? 0) <= wanted) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** For each line and one past the last, how many CRs of CRLF breaks stand before it. */
function countCarriageReturns(raw: string, starts: readonly number[]): Uint32Array {
  const shifts = new Uint32Array(starts.length + 1)
  for (let line = 1; line <= starts.length; line += 1) {
    const shift = shifts[line - 1] ?? 0
    const feed = raw.indexOf('\n', (starts[line - 1] ?? 0) + shift)
    shifts[line] = shift + (feed > 0 && raw[feed - 1] === '\r' ? 1 : 0)
  }
  return shifts
}

function makeIndex(
  text: string,
  starts: readonly number[],
  shifts: Uint32Array | undefined,
  singleBreak: Ending,
): LineIndex {
  const count = starts.length
  const breaks = text.endsWith('\n') ? count : Math.max(count - 1, 0)
  const pairs = shifts?.[count] ?? 0
  const shiftOf = (line: number): number => shifts?.[line - 1] ?? 0
  const startOf = (line: number): number => starts[line - 1] ?? text.length
  const lineAt = (offset: number): number =>
    offset === text.length && breaks === count ? count + 1 : lastAtMost(starts, offset) + 1
  return {
    count,
    dominantEnding: breaks === 0 ? undefined : pairs * 2 > breaks ? '\r\n' : singleBreak,
    isUniform: pairs === 0 || pairs === breaks,
    hasFinalNewline: count > 0 && breaks === count,
    starts,
    startOf,
    endOf: line => (line <= breaks ? startOf(line + 1) - 1 : text.length),
    endingOf: line => {
      if (line > breaks) return ''
      return shiftOf(line + 1) > shiftOf(line) ? '\r\n' : singleBreak
    },
    lineAt,
    rawOffset: offset => offset + (shifts === undefined ? 0 : shiftOf(lineAt(offset))),
  }
}
