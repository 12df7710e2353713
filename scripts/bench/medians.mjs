// Medians of milliseconds and how they are printed.

/** @param {readonly number[]} numbers */
export function medianOf(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const high = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? high : ((sorted[middle - 1] ?? Number.NaN) + high) / 2
}

/**
 * Median, minimum and maximum in milliseconds.
 * @param {readonly number[]} numbers
 */
export function renderMedian(numbers) {
  const [median, least, most] = [medianOf(numbers), Math.min(...numbers), Math.max(...numbers)]
  return `${short(median)} ms (${short(least)}-${short(most)})`
}

/**
 * How many times as long one took as the other: by medians, and the least of one to the least of the other.
 * @param {readonly number[]} long
 * @param {readonly number[]} brief
 */
export function renderRatio(long, brief) {
  const least = Math.min(...long) / Math.min(...brief)
  return `${(medianOf(long) / medianOf(brief)).toFixed(1)} x (least to least ${least.toFixed(1)} x)`
}

/** @param {number} number */
function short(number) {
  return number.toFixed(number < 10 ? 2 : number < 100 ? 1 : 0)
}
