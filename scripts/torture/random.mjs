// Numbers that look random and are the same for the same seed.

/**
 * Whole numbers from 0 up to a bound (mulberry32).
 * @param {number} seed
 * @returns {(below: number) => number}
 */
export function randomFrom(seed) {
  let state = seed
  return below => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}
