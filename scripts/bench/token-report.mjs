// Prints what changes cost in tokens: quantiles of ratios, buckets by length of file, sums, and the steps.
import { medianOf } from './medians.mjs'

/** @typedef {import('./token-flows.mjs').Cost} Cost */
/** @typedef {{ readonly lines: number, readonly changed: number, readonly costs: Readonly<Record<string, Cost>> }} Result */

const flows = ['A', 'A1', 'W', 'B', 'B + outlines', 'B by patch']
const steps = /** @type {const} */ (['search', 'reads', 'said', 'replies', 'calls', 'total'])
const buckets = [150, 400, 800, 2000, Number.POSITIVE_INFINITY]

/** @param {readonly Result[]} results */
export function printTokens(results) {
  console.log(
    `\n${results.length} commits; median of the lines changed ${medianOf(results.map(one => one.changed))}, of the lines of their files ${medianOf(results.map(one => one.lines))}`,
  )
  console.log('\n# tokens by step: median of the commits, and their sum')
  printRow(['', ...flows])
  for (const step of steps) {
    printRow([
      step,
      ...flows.map(flow =>
        String(Math.round(medianOf(results.map(one => one.costs[flow]?.[step] ?? 0)))),
      ),
    ])
  }
  printRow(['sum', ...flows.map(flow => String(sum(results, flow)))])
  console.log('\n# ratios')
  printRow(['', 'p10', 'p25', 'median', 'p75', 'p90', 'max', 'sums'])
  for (const [some, others] of [
    ['B', 'A'],
    ['B', 'A1'],
    ['B', 'W'],
    ['B + outlines', 'A'],
    ['B + outlines', 'A1'],
    ['B by patch', 'A'],
    ['B by patch', 'A1'],
  ]) {
    const ratios = ratiosOf(results, some ?? '', others ?? '')
    const quantiles = [0.1, 0.25, 0.5, 0.75, 0.9, 1].map(share =>
      quantile(ratios, share).toFixed(3),
    )
    const sums = (sum(results, some ?? '') / sum(results, others ?? '')).toFixed(3)
    printRow([`${some} / ${others}`, ...quantiles, sums])
  }
  console.log('\n# by the length of the longest file')
  printRow(['lines', 'commits', 'B / A', 'B / A1', 'B / W', 'patch / A'])
  for (const [at, most] of buckets.entries()) {
    const least = buckets[at - 1] ?? 0
    const some = results.filter(({ lines }) => lines >= least && lines < most)
    const medians = ['A', 'A1', 'W'].map(flow => medianOf(ratiosOf(some, 'B', flow)).toFixed(3))
    medians.push(medianOf(ratiosOf(some, 'B by patch', 'A')).toFixed(3))
    printRow([
      `${least}-${most === Number.POSITIVE_INFINITY ? '' : most - 1}`,
      String(some.length),
      ...medians,
    ])
  }
}

/**
 * Each goal with what was reached; false where one was missed.
 * @param {readonly Result[]} results
 */
export function printGoals(results) {
  const small = results.filter(({ lines }) => lines < 150)
  const goals = /** @type {const} */ ([
    ['median B / A', medianOf(ratiosOf(results, 'B', 'A')), 0.15],
    ['sum B / A', sum(results, 'B') / sum(results, 'A'), 0.1],
    ['median B / A1', medianOf(ratiosOf(results, 'B', 'A1')), 0.22],
    ['median B / A below 150 lines', medianOf(ratiosOf(small, 'B', 'A')), 0.45],
  ])
  console.log('\n# goals')
  for (const [name, reached, goal] of goals) {
    console.log(
      `${reached <= goal ? 'reached' : 'missed '}  ${name}: ${reached.toFixed(3)}, at most ${goal}`,
    )
  }
  return goals.every(([, reached, goal]) => reached <= goal)
}

/**
 * @param {readonly Result[]} results
 * @param {string} some
 * @param {string} others
 */
function ratiosOf(results, some, others) {
  return results.map(({ costs }) => (costs[some]?.total ?? 0) / (costs[others]?.total ?? 1))
}

/**
 * @param {readonly Result[]} results
 * @param {string} flow
 */
function sum(results, flow) {
  return results.reduce((total, { costs }) => total + (costs[flow]?.total ?? 0), 0)
}

/**
 * @param {readonly number[]} numbers
 * @param {number} share
 */
function quantile(numbers, share) {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

/** @param {readonly string[]} cells */
function printRow(cells) {
  console.log(cells.map((cell, at) => (at === 0 ? cell.padEnd(18) : cell.padStart(12))).join(''))
}
