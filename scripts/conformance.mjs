// `npm run conformance [-- --family NAME] [-- --refused]`: runs the edits of the corpora in memory, through the dialect
// that each is said in, and prints how many came out as they should. Exit code 1 on DAMAGE: an edit that was reported
// done and left a wrong tree. What we decided where peers differ stands in test/edit/conformance/*.jsonl.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { families } from './conformance/families.mjs'
import { readCases } from './conformance/read-cases.mjs'
import { readDecisions } from './conformance/read-decisions.mjs'
import { runCase } from './conformance/run-case.mjs'
import { printBoard, printCases } from './conformance/scoreboard.mjs'
import { root, stop } from './setup.mjs'

/** @typedef {import('./conformance/types.mjs').Scored} Scored */

const { values: asked } = parseArgs({
  options: { family: { type: 'string' }, refused: { type: 'boolean', default: false } },
})
const corpora = process.env.EDITLATCH_CORPORA ?? join(root, '../shared/corpora')
if (!existsSync(join(corpora, 'edit'))) {
  stop(`There are no corpora at ${corpora}; EDITLATCH_CORPORA names their place.`)
}
const cases = readCases(join(corpora, 'edit'))
const decisions = readDecisions(join(root, 'test/edit/conformance'))

/** @type {Scored[]} */
const scored = []
for (const family of families) {
  if (asked.family !== undefined && asked.family !== family.name) continue
  for (const one of cases.filter(family.takes)) {
    scored.push(await runCase(one, family, decisions.get(one.id)))
  }
}
printBoard(scored)
printCases(scored, asked.refused ? ['DAMAGE', 'refused'] : ['DAMAGE'])
const isDamaged = scored.some(({ verdict }) => verdict === 'DAMAGE')
process.exitCode = isDamaged || scored.length === 0 ? 1 : 0
