/** A line to compare others with. */
export interface ComparedLine {
  readonly length: number
  /** How many of its characters stand in another line in the same order. */
  commonWith(other: string): number
  /** Steps that a comparison with a line takes. */
  stepsFor(other: string): number
}

const wordBits = 32
const fullWord = 0xffffffff

/** Prepares a line for comparisons: the longest common subsequence by bit vectors (Hyyrö 2004). */
export function compareLine(line: string): ComparedLine {
  const words = Math.ceil(line.length / wordBits)
  const places = placesOf(line, words)
  return {
    length: line.length,
    stepsFor: other => words * other.length,
    commonWith: other => {
      const free = new Uint32Array(words).fill(fullWord)
      for (let at = 0; at < other.length; at += 1) {
        const mask = places.get(other.charCodeAt(at))
        if (mask !== undefined) advance(free, mask)
      }
      return countTaken(free, line.length)
    },
  }
}

/** For each character the bits of the places where it stands. */
function placesOf(line: string, words: number): ReadonlyMap<number, Uint32Array> {
  const places = new Map<number, Uint32Array>()
  for (let at = 0; at < line.length; at += 1) {
    const unit = line.charCodeAt(at)
    const mask = places.get(unit) ?? new Uint32Array(words)
    const word = Math.floor(at / wordBits)
    mask[word] = (mask[word] ?? 0) | (1 << (at % wordBits))
    places.set(unit, mask)
  }
  return places
}

/** `free = (free + (free & mask)) | (free & ~mask)` over all words, with carry. */
function advance(free: Uint32Array, mask: Uint32Array): void {
  let carry = 0
  for (let word = 0; word < free.length; word += 1) {
    const old = free[word] ?? 0
    const at = mask[word] ?? 0
    const sum = old + ((old & at) >>> 0) + carry
    carry = sum > fullWord ? 1 : 0
    free[word] = sum | (old & ~at)
  }
}

function countTaken(free: Uint32Array, length: number): number {
  let taken = 0
  for (let at = 0; at < length; at += 1) {
    const bit = 1 << (at % wordBits)
    if (((free[Math.floor(at / wordBits)] ?? 0) & bit) === 0) taken += 1
  }
  return taken
}
