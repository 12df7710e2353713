/**
 * A source of chance that repeats itself exactly from the same seed (mulberry32).
 * @param {number} seed
 */
export function seededRandom(seed) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  /** @param {number} from @param {number} to */
  const int = (from, to) => from + Math.floor(next() * (to - from))
  return {
    int,
    /** @template T @param {readonly T[]} list @returns {T} */
    pick: list => /** @type {T} */ (list[int(0, list.length)]),
  }
}
