/** The lines of a text whose breaks are LF. */
export interface Lines {
  readonly text: string
  readonly count: number
  /** The line, from 1, that holds an offset. */
  lineAt(offset: number): number
  /** Where a line begins, and where its break stands. */
  startOf(line: number): number
  endOf(line: number): number
  /** The line without its break. */
  textOf(line: number): string
}

/** Looks the breaks up once. */
export function linesOf(text: string): Lines {
  const starts = [0]
  for (let feed = text.indexOf('\n'); feed >= 0; feed = text.indexOf('\n', feed + 1)) {
    starts.push(feed + 1)
  }
  const startOf = (line: number): number => starts[line - 1] ?? text.length + 1
  const endOf = (line: number): number => startOf(line + 1) - 1
  let last = 1
  return {
    text,
    count: text.endsWith('\n') ? starts.length - 1 : starts.length,
    lineAt: offset => {
      last = lineNear(starts, offset, last)
      return last
    },
    startOf,
    endOf,
    textOf: line => text.slice(startOf(line), endOf(line)),
  }
}

/** Lines that are looked at one by one: mostly what is asked for stands a little below what was asked for before. */
const nearLines = 8

function lineNear(starts: readonly number[], offset: number, near: number): number {
  if ((starts[near - 1] ?? 0) > offset) return lineAt(starts, offset)
  for (let line = near; line < near + nearLines; line += 1) {
    const next = starts[line]
    if (next === undefined || next > offset) return line
  }
  return lineAt(starts, offset)
}

function lineAt(starts: readonly number[], offset: number): number {
  let low = 0
  let high = starts.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((starts[middle] ?? 0) <= offset) low = middle + 1
    else high = middle
  }
  return low
}
