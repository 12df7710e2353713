/** Lines to find one after the other, and the lines to find them in. */
export interface RunSearch {
  /** What counts of each wanted line: those of which the same counts are equal. At least one. */
  readonly keys: ArrayLike<string | number>
  /** The first line to look at, from 0, and the one behind the last. */
  readonly from: number
  readonly to: number
  /** True where a line is equal to a wanted one, and so to all that are equal to that. */
  isEqual(line: number, wanted: number): boolean
}

/** Every line at which the wanted ones begin, in order, also inside of each other. Knuth, Morris and Pratt: linear also where lines repeat. */
export function* findRuns({ keys, from, to, isEqual }: RunSearch): Generator<number> {
  const borders = bordersOf(keys)
  let matched = 0
  for (let line = from; line < to; line += 1) {
    let fits = isEqual(line, matched)
    while (!fits && matched > 0) {
      matched = borders[matched - 1] ?? 0
      fits = isEqual(line, matched)
    }
    if (fits) matched += 1
    if (matched < keys.length) continue
    yield line + 1 - matched
    matched = borders[matched - 1] ?? 0
  }
}

/** For each beginning of the wanted lines, how long its longest proper beginning is that is also its end. */
function bordersOf(keys: ArrayLike<string | number>): Uint32Array {
  const borders = new Uint32Array(keys.length)
  let matched = 0
  for (let at = 1; at < keys.length; at += 1) {
    while (matched > 0 && keys[matched] !== keys[at]) matched = borders[matched - 1] ?? 0
    if (keys[matched] === keys[at]) matched += 1
    borders[at] = matched
  }
  return borders
}
