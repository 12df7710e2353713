// What the engine is meant to reach, and whether it did.
import { medianOf } from './medians.mjs'

/**
 * @typedef {object} Round What was measured in one repository with batches of one size.
 * @property {string} fileSystem
 * @property {string} repository
 * @property {number} tracked Files in the repository.
 * @property {number} files Files that each batch changes.
 * @property {ReadonlyMap<string, readonly number[]>} times Milliseconds by engine.
 * @property {number | undefined} megabytes The most that the gateway in process had resident.
 */

/**
 * @typedef {object} Goal
 * @property {string} title
 * @property {(round: Round) => boolean} counts Whether a round says something of it.
 * @property {(round: Round) => number} value NaN where an engine was not measured.
 * @property {'from' | 'below'} side
 * @property {number} bound
 */

/** @type {(round: Round) => boolean} */
const isSmall = ({ tracked }) => tracked < 2_000
/** @type {(round: Round) => boolean} */
const isLarge = ({ tracked }) => tracked >= 20_000
/** @type {(round: Round) => boolean} */
const isMiddle = round => !isSmall(round) && !isLarge(round)
/** @type {(round: Round) => boolean} */
const isPlain = ({ fileSystem, files }) => fileSystem === 'tmpfs' && files === 1

/** @type {readonly Goal[]} */
const goals = [
  {
    title: 'process against git add + git commit, small repository, tmpfs, 1 file',
    counts: round => isPlain(round) && isSmall(round),
    value: round => ratio(round, 'git', 'process'),
    side: 'from',
    bound: 4,
  },
  {
    title: 'process against git add + git commit, about 9,000 files, tmpfs, 1 file',
    counts: round => isPlain(round) && isMiddle(round),
    value: round => ratio(round, 'git', 'process'),
    side: 'from',
    bound: 6,
  },
  {
    title: 'process against git add + git commit, about 57,000 files, tmpfs, 1 file',
    counts: round => isPlain(round) && isLarge(round),
    value: round => ratio(round, 'git', 'process'),
    side: 'from',
    bound: 8,
  },
  {
    title: 'process against simple-git, tmpfs, 1 file',
    counts: isPlain,
    value: round => ratio(round, 'simple-git', 'process'),
    side: 'from',
    bound: 10,
  },
  {
    title: 'power against its floor, small repository, on disk, 1 file',
    counts: round => round.fileSystem !== 'tmpfs' && round.files === 1 && isSmall(round),
    value: round => ratio(round, 'power', 'floor'),
    side: 'below',
    bound: 3,
  },
  {
    title: 'milliseconds that HTTP adds, 1 file',
    counts: isPlain,
    value: round =>
      medianOf(round.times.get('http') ?? []) - medianOf(round.times.get('process') ?? []),
    side: 'below',
    bound: 2,
  },
  {
    title: 'most MB resident, about 57,000 files',
    counts: isLarge,
    value: ({ megabytes }) => megabytes ?? Number.NaN,
    side: 'below',
    bound: 200,
  },
]

/**
 * One line for each goal and each round that says something of it.
 * @param {readonly Round[]} rounds
 */
export function judge(rounds) {
  return goals.flatMap(({ title, counts, value, side, bound }) =>
    rounds.filter(counts).flatMap(round => {
      const found = value(round)
      if (Number.isNaN(found)) return []
      const isReached = side === 'from' ? found >= bound : found < bound
      const place = `${round.repository}, ${round.fileSystem}, ${round.files} a batch`
      return [
        `${isReached ? 'reached' : 'missed '} ${title}: ${found.toFixed(1)}, wanted ${side} ${bound} (${place})`,
      ]
    }),
  )
}

/**
 * @param {Round} round
 * @param {string} long
 * @param {string} brief
 */
function ratio({ times }, long, brief) {
  return medianOf(times.get(long) ?? []) / medianOf(times.get(brief) ?? [])
}
