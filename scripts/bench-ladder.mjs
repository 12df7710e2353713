// `npm run bench:ladder -- [REPO...] [--per N] [--corpora DIR]`: how often an edit lands right at the first try, is refused,
// or lands wrong, by the most lenient level and by the least similarity of block_anchor: on the labelled cases of the corpora
// that have one right answer, and on blocks of real code (REPO, default: this repository) that are misremembered in known
// ways, also where the true block is gone and only its siblings are left. Exit code 1 where the defaults land wrong though the
// true block is there.
import { existsSync } from 'node:fs'
import { resolve as resolvePath } from 'node:path'
import { parseArgs } from 'node:util'
import { defaultLimits } from '../dist/core/limits.js'
import { defaultMatching } from '../dist/core/matching.js'
import { memoryTree } from '../dist/core/tree.js'
import { resolve } from '../dist/edit/resolve.js'
import { codeCases, labelledCases } from './bench/ladder-cases.mjs'
import { seededRandom } from './bench/seeded-random.mjs'
import { root } from './setup.mjs'

/** @typedef {import('./bench/ladder-cases.mjs').LadderCase} LadderCase */
/** @typedef {import('../dist/core/matching.js').Matching} Matching */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { per: { type: 'string', default: '40' }, corpora: { type: 'string' } },
})
const from = (/** @type {string} */ path) =>
  resolvePath(process.env.INIT_CWD ?? process.cwd(), path)
const corpora = from(values.corpora ?? process.env.EDITLATCH_CORPORA ?? `${root}/../shared/corpora`)
const repositories = positionals.length === 0 ? [root] : positionals.map(from)

const levels = /** @type {const} */ ([
  'exact',
  'line_trimmed',
  'whitespace_normalised',
  'indentation_flexible',
  'block_anchor',
])
const thresholds = [0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9]

const labelled = existsSync(corpora) ? labelledCases(corpora) : []
if (labelled.length === 0) console.log(`no corpora at ${corpora}`)
const made = repositories.flatMap(repository =>
  codeCases(repository, seededRandom(4), Number(values.per)),
)
await table('labelled cases', labelled)
await table(
  'blocks of real code',
  made.filter(({ kind }) => kind !== 'the block is gone'),
)
await table(
  'the block is gone',
  made.filter(({ kind }) => kind === 'the block is gone'),
)
await byKind(made)

/** @param {string} title @param {readonly LadderCase[]} cases */
async function table(title, cases) {
  if (cases.length === 0) return
  console.log(`\n${title}: ${cases.length}`)
  for (const maxLevel of levels) {
    console.log(
      `  up to ${maxLevel.padEnd(22)}${render(await tally(cases, { ...defaultMatching, maxLevel }))}`,
    )
  }
  for (const minSimilarity of thresholds) {
    console.log(
      `  similarity ${minSimilarity.toFixed(2).padEnd(17)}${render(await tally(cases, { ...defaultMatching, minSimilarity }))}`,
    )
  }
}

/** @param {readonly LadderCase[]} cases */
async function byKind(cases) {
  console.log('\nby what was misremembered, with the defaults')
  for (const kind of new Set(cases.map(one => one.kind))) {
    const counts = await tally(
      cases.filter(one => one.kind === kind),
      defaultMatching,
    )
    console.log(`  ${kind.padEnd(28)}${render(counts)}`)
    if (counts.wrong > 0 && kind !== 'the block is gone') process.exitCode = 1
  }
}

/** @typedef {{ right: number, refused: number, ambiguous: number, wrong: number, levels: Map<string, number> }} Counts */

/** @param {readonly LadderCase[]} cases @param {Matching} matching @returns {Promise<Counts>} */
async function tally(cases, matching) {
  /** @type {Counts} */
  const counts = { right: 0, refused: 0, ambiguous: 0, wrong: 0, levels: new Map() }
  for (const one of cases) {
    const { after, code, level = '' } = await edit(one, matching)
    if (code === undefined) {
      const isRight = after === one.after
      counts[isRight ? 'right' : 'wrong'] += 1
      if (!isRight && process.env.SHOW_WRONG)
        console.log(JSON.stringify({ ...one, got: after, level }))
      if (isRight) counts.levels.set(level, (counts.levels.get(level) ?? 0) + 1)
    } else if (one.after === undefined) counts.right += 1
    else counts[code === 'AMBIGUOUS_MATCH' ? 'ambiguous' : 'refused'] += 1
  }
  return counts
}

/** @param {LadderCase} one @param {Matching} matching */
async function edit({ path: name, before, find, replace, all, count }, matching) {
  const oid = /** @type {import('../dist/core/oid.js').Oid} */ ('0'.repeat(40))
  const path = /** @type {import('../dist/core/repo-path.js').RepoPath} */ (name)
  const bytes = Buffer.from(before)
  const tree = memoryTree(new Map([[path, { oid, mode: '100644', bytes }]]))
  const places = count === undefined ? { all } : { expected_count: count }
  const kind = /** @type {const} */ ('replace_text')
  const op = { op: kind, path, expected_rev: oid, find, replace, ...places }
  try {
    const { changes, ops } = await resolve({ ops: [op] }, tree, {
      limits: defaultLimits,
      allowProtected: ['**'],
      matching,
    })
    return {
      after: Buffer.from(changes[0]?.after?.bytes ?? bytes).toString(),
      level: ops[0]?.level,
    }
  } catch (error) {
    return { code: /** @type {{ code: string }} */ (error).code ?? String(error) }
  }
}

/** @param {Counts} counts */
function render({ right, refused, ambiguous, wrong, levels: by }) {
  const total = right + refused + ambiguous + wrong
  const told = [...by].map(([level, count]) => `${level} ${count}`).join(', ')
  return `right ${right} (${((100 * right) / total).toFixed(1)} %), refused ${refused}, ambiguous ${ambiguous}, WRONG ${wrong}${told === '' ? '' : `; ${told}`}`
}
