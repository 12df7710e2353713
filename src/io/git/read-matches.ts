/** Where a line fits: its number from 1, and the byte of the line, from 0, at which it does. */
export interface LineMatch {
  readonly line: number
  readonly byte: number
}

/** The lines of a file that fit. */
export interface MatchedLines {
  readonly count: number
  /** `line:byte:` and whatever, for each; undefined where they were only counted. */
  readonly lines: Buffer | undefined
}

const feed = 10
const colon = 58
const zero = 48

/** `name NUL`, then a line for each that fits, then a blank one before the next file. */
export function* readMatches(stdout: Buffer): Iterable<readonly [string, MatchedLines]> {
  for (let at = 0; at < stdout.length; ) {
    const nul = stdout.indexOf(0, at)
    if (nul < 0) return
    const begin = nul + 1
    let end = begin
    let count = 0
    for (;;) {
      const next = stdout.indexOf(feed, end)
      if (next < 0 || next === end) break
      count += 1
      end = next + 1
    }
    yield [stdout.toString('latin1', at, nul), { count, lines: stdout.subarray(begin, end) }]
    at = end + 1
  }
}

/** Each `line:column:` at the beginning of a line. */
export function readMatchLines(lines: Buffer): readonly LineMatch[] {
  const matches: LineMatch[] = []
  for (let at = 0; at < lines.length; ) {
    const [line, afterLine] = readNumber(lines, at)
    const [column, afterColumn] = readNumber(lines, afterLine)
    if (afterLine > at && afterColumn > afterLine) matches.push({ line, byte: column - 1 })
    const next = lines.indexOf(feed, afterColumn)
    at = next < 0 ? lines.length : next + 1
  }
  return matches
}

/** A number with its colon, and the place behind; the same place where there is none. */
function readNumber(bytes: Buffer, from: number): readonly [number, number] {
  let number = 0
  for (let at = from; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0
    if (byte === colon && at > from) return [number, at + 1]
    if (byte < zero || byte > zero + 9) break
    number = number * 10 + byte - zero
  }
  return [0, from]
}
