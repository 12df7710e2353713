import { peersOnFailures } from './peers-on-failures.mjs'

/** @typedef {import('./types.mjs').Scored} Scored */

const verdicts = /** @type {const} */ (['pass', 'declined', 'refused', 'DAMAGE', 'not an edit'])
const widths = [21, 20, 8, 6, 6, 10, 9, 8, 13]

/**
 * One row for each family and peer, for binding cases and for those of policy, and their sums.
 * @param {readonly Scored[]} scored
 */
export function printBoard(scored) {
  printRow(['dialect', 'peer', 'kind', 'cases', ...verdicts])
  for (const row of groups(scored)) printRow(row)
  for (const kind of ['binding', 'argued', 'policy']) {
    printRow(['all', '', kind, ...counts(scored.filter(one => kindOf(one) === kind))])
  }
  printRow(['all', '', '', ...counts(scored)])
}

/**
 * What users reported, each case once, and below it what the peers made of such cases.
 * @param {readonly Scored[]} scored
 */
export function printFailures(scored) {
  const reported = firstOfEach(scored.filter(({ one }) => one.peer === 'failures'))
  const dialects = [...new Set(reported.map(({ family }) => family))]
  console.log(`\nWhat users reported as going wrong: ${reported.length} cases`)
  printRow(['dialect', '', '', 'cases', 'pass', 'refused', 'DAMAGE'])
  for (const dialect of [...dialects, 'all']) {
    const own = reported.filter(({ family }) => dialect === 'all' || family === dialect)
    const of = (/** @type {string} */ wanted) =>
      own.filter(({ verdict }) => verdict === wanted).length
    const row = [own.length, of('pass'), of('refused') + of('declined'), of('DAMAGE')]
    printRow([dialect, 'Editlatch', '', ...row.map(String)])
  }
  console.log('\nPeers, on 102 such cases of which these are some')
  for (const { dialect, peer, cases, pass, refused, DAMAGE } of peersOnFailures) {
    printRow([dialect, peer, '', ...[cases, pass, refused, DAMAGE].map(String)])
  }
}

/**
 * Some cases are run in two dialects.
 * @param {readonly Scored[]} scored
 */
function firstOfEach(scored) {
  return scored.filter(
    ({ one }, index) => scored.findIndex(other => other.one.id === one.id) === index,
  )
}

/**
 * Each case with one of these verdicts, on one line.
 * @param {readonly Scored[]} scored
 * @param {readonly Scored['verdict'][]} wanted
 */
export function printCases(scored, wanted) {
  for (const one of scored.filter(({ verdict }) => wanted.includes(verdict))) {
    const decided = one.decision === undefined ? '' : ` [${one.decision.decision}]`
    const name = `${one.family} ${one.one.id} (${kindOf(one)})`
    console.log(`${one.verdict} ${name}${decided}: ${one.note}`.slice(0, 240))
  }
}

/**
 * A binding case that we decided otherwise is argued in the table.
 * @param {Scored} scored
 * @returns {'binding' | 'argued' | 'policy'}
 */
function kindOf({ one, decision }) {
  if (one.policy !== undefined) return 'policy'
  return decision === undefined ? 'binding' : 'argued'
}

/** @param {readonly Scored[]} scored */
function groups(scored) {
  const keyOf = (/** @type {Scored} */ one) => `${one.family}\t${one.one.peer}\t${kindOf(one)}`
  return [...new Set(scored.map(keyOf))].map(key => [
    ...key.split('\t'),
    ...counts(scored.filter(one => keyOf(one) === key)),
  ])
}

/** @param {readonly Scored[]} scored */
function counts(scored) {
  const of = verdicts.map(wanted => scored.filter(({ verdict }) => verdict === wanted).length)
  return [scored.length, ...of].map(String)
}

/** @param {readonly string[]} cells */
function printRow(cells) {
  console.log(
    cells
      .map((cell, index) => pad(cell, index))
      .join('')
      .trimEnd(),
  )
}

/**
 * @param {string} cell
 * @param {number} index
 */
function pad(cell, index) {
  const width = widths[index] ?? 0
  return index < 3 ? `${cell.padEnd(width)} ` : cell.padStart(width)
}
