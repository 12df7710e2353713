/** The lines of a text whose breaks are LF. */
export interface Lines {
  readonly text: string
  readonly count: number
  /** The line, from 1, that holds an offset. */
  lineAt(offset: number): number
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
  return {
    text,
    count: text.endsWith('\n') ? starts.length - 1 : starts.length,
    lineAt: offset => lineAt(starts, offset),
    textOf: line => text.slice(startOf(line), startOf(line + 1) - 1),
  }
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
