// What the parts of one search take, each by itself: the search runs some of them beside each other.
import { defaultLimits } from '../../dist/core/limits.js'
import { currentTree } from '../../dist/gateway/landing/apply-change.js'
import { countLines } from '../../dist/gateway/reading/count-lines.js'
import { OutlinesInTime } from '../../dist/gateway/reading/outlines-in-time.js'
import { readHits } from '../../dist/gateway/reading/read-hits.js'
import { stampWorktree } from '../../dist/gateway/reading/stamp-worktree.js'
import { medianOf } from './medians.mjs'

/**
 * @typedef {import('../../dist/gateway/worktree.js').Worktree} Worktree
 * @typedef {import('../../dist/io/git/count-matches.js').LinePattern} LinePattern
 * @typedef {{ readonly pattern: LinePattern, readonly paths: readonly string[], readonly ripgrep: string, readonly rounds: number }} Wanted
 */

/**
 * In one line: to find the files, to read those that are shown, to fetch their symbols, and the look for changes that
 * an answer from memory costs.
 * @param {Worktree} worktree
 * @param {Wanted} wanted
 */
export async function describePieces({ checkout }, { pattern, paths, ripgrep, rounds }) {
  const outlines = new OutlinesInTime(checkout.served.symbols)
  /** @type {Record<'find' | 'read' | 'symbols' | 'look', number[]>} */
  const pieces = { find: [], read: [], symbols: [], look: [] }
  for (let round = 0; round < rounds; round += 1) {
    const tree = await currentTree(checkout, defaultLimits)
    const counted = await timed(pieces.find, () =>
      countLines(checkout, pattern, { path: '', ripgrep }),
    )
    const reading = { checkout, tree, ripgrep, counted }
    const read = await timed(pieces.read, () => readHits(reading, pattern, paths))
    const files = read.flatMap(one => (typeof one === 'string' ? [] : [one]))
    await timed(pieces.symbols, () => outlines.of(files))
    await timed(pieces.look, () => stampWorktree(checkout, []))
  }
  return Object.entries(pieces)
    .map(([name, times]) => `${name} ${medianOf(times).toFixed(0)}`)
    .join(', ')
}

/**
 * @template T
 * @param {number[]} times
 * @param {() => Promise<T>} act
 */
async function timed(times, act) {
  const started = performance.now()
  const value = await act()
  times.push(performance.now() - started)
  return value
}
