/** A source of chance that repeats itself exactly from the same seed. */
export interface Random {
  /** A whole number from `from` up to but not including `to`. */
  int(from: number, to: number): number
  pick<T>(list: readonly T[]): T
  bytes(length: number): Uint8Array
  /** Characters drawn from an alphabet that is hard on editors: endings, tabs, accents, emoji. */
  text(length: number): string
}

const alphabet = [
  ...'abcxyz019 {}();="\'\\$',
  '\n',
  '\r\n',
  '\t',
  '  ',
  'é',
  'ß',
  '日',
  '👍',
  '\u00a0',
  '‘',
]

/** The generator mulberry32: small, fast, and good enough to pick test cases. */
export function seededRandom(seed: number): Random {
  const next = mulberry32(seed)
  const int = (from: number, to: number): number => from + Math.floor(next() * (to - from))
  const pick = <T>(list: readonly T[]): T => {
    if (list.length === 0) throw new RangeError('cannot pick from an empty list')
    return list[int(0, list.length)] as T
  }
  return {
    int,
    pick,
    bytes: length => Uint8Array.from({ length }, () => int(0, 256)),
    text: length => Array.from({ length }, () => pick(alphabet)).join(''),
  }
}

/** Numbers from 0 up to but not including 1. */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
