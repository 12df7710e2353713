import type { Stretch } from './piece.js'

/** Above this many comparisons in the worst case the built-in search gives way to one that is always linear. */
const quickComparisons = 500_000_000

/** What a search may answer. */
export interface SearchBounds {
  readonly limit: number
  /** Whether a place may begin inside the one before it. */
  readonly overlap: 'kept' | 'dropped'
}

/** Every place, up to the limit, where a text stands exactly. */
export function findExact(
  text: string,
  wanted: string,
  { limit, overlap }: SearchBounds,
): readonly Stretch[] {
  const indexOf =
    text.length * wanted.length > quickComparisons
      ? linearIndexOf(text, wanted)
      : quick(text, wanted)
  const places: Stretch[] = []
  let from = indexOf(0)
  while (from >= 0 && places.length < limit) {
    places.push({ from, to: from + wanted.length })
    from = indexOf(from + (overlap === 'kept' ? 1 : wanted.length))
  }
  return places
}

type IndexOf = (from: number) => number

function quick(text: string, wanted: string): IndexOf {
  return from => text.indexOf(wanted, from)
}

/** Knuth, Morris and Pratt: V8's own search takes seconds where a long text nearly repeats itself. */
function linearIndexOf(text: string, wanted: string): IndexOf {
  const borders = bordersOf(wanted)
  return from => {
    let matched = 0
    for (let at = from; at < text.length; at += 1) {
      const unit = text.charCodeAt(at)
      while (matched > 0 && wanted.charCodeAt(matched) !== unit) matched = borders[matched - 1] ?? 0
      if (wanted.charCodeAt(matched) === unit) matched += 1
      if (matched === wanted.length) return at + 1 - matched
    }
    return -1
  }
}

/** For each beginning of the text, how long its longest beginning is that is also its end. */
function bordersOf(wanted: string): Uint32Array {
  const borders = new Uint32Array(wanted.length)
  let matched = 0
  for (let at = 1; at < wanted.length; at += 1) {
    const unit = wanted.charCodeAt(at)
    while (matched > 0 && wanted.charCodeAt(matched) !== unit) matched = borders[matched - 1] ?? 0
    if (wanted.charCodeAt(matched) === unit) matched += 1
    borders[at] = matched
  }
  return borders
}
