// Grows the lines around a change one by one until they tell its place from every other.

/** @typedef {import('./said-file.mjs').TextLine} TextLine */
/** @typedef {import('./said-file.mjs').TextChange} TextChange */
/** @typedef {import('./said-file.mjs').TextHunk} TextHunk */

/**
 * @typedef {object} Grown A change with its context, in a file whose earlier changes have been made.
 * @property {readonly TextLine[]} search
 * @property {readonly TextLine[]} replace
 */

/**
 * Each change in order, with the fewest lines of context around it that satisfy `isUnique`. The third argument is the
 * whole file as the changes before have left it.
 * @param {TextChange} change
 * @param {(search: readonly TextLine[], replace: readonly TextLine[], current: readonly TextLine[]) => boolean} isUnique
 * @returns {readonly Grown[]}
 */
export function growContexts({ before, after, hunks }, isUnique) {
  return hunks.map(({ start, end, newStart, newEnd }) => {
    const above = after.slice(0, newStart)
    const below = before.slice(end)
    const removed = before.slice(start, end)
    const added = after.slice(newStart, newEnd)
    const current = [...above, ...removed, ...below]
    for (const [up, down] of widths(above.length, below.length)) {
      const [head, tail] = [above.slice(above.length - up), below.slice(0, down)]
      const search = [...head, ...removed, ...tail]
      const replace = [...head, ...added, ...tail]
      const isWhole = up === above.length && down === below.length
      if (search.length > 0 && (isWhole || isUnique(search, replace, current))) {
        return { search, replace }
      }
    }
    return { search: [], replace: added }
  })
}

/**
 * Lines above and below, a line more at a time, above first; where many are of no help, ever more at a time.
 * @param {number} above
 * @param {number} below
 * @returns {Generator<readonly [up: number, down: number]>}
 */
export function* widths(above, below) {
  let [up, down] = [0, 0]
  for (;;) {
    yield [up, down]
    const more = 1 + Math.floor((up + down) / 32)
    if (up < above && (up <= down || down === below)) up = Math.min(above, up + more)
    else if (down < below) down = Math.min(below, down + more)
    else return
  }
}

/**
 * The places where lines stand in others one after the other, from a line on; two are enough.
 * @param {readonly TextLine[]} lines
 * @param {readonly TextLine[]} within
 * @param {number} [from]
 */
export function placesOf(lines, within, from = 0) {
  const places = []
  for (let at = from; at + lines.length <= within.length && places.length < 2; at += 1) {
    if (lines.every(({ text }, index) => text === within[at + index]?.text)) places.push(at)
  }
  return places
}
