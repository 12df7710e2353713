// `npm run conformance [-- --family NAME] [-- --refused] [-- --write]`: runs the edits of the corpora in memory, through
// the dialect that each is said in, and prints how many came out as they should; then what users reported, beside what
// peers made of it, and the golden anchors. Exit code 1 on DAMAGE (an edit that was reported done and left a wrong tree),
// on a case of policy that is not decided, on a decision that is not so, and on anchors that are not as they should be.
// What we decided where peers differ stands in test/edit/conformance/*.jsonl; --write makes DECISIONS.md of it.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { staleDecisions, undecided } from './conformance/check-decisions.mjs'
import { decisionsTable } from './conformance/decisions-table.mjs'
import { families } from './conformance/families.mjs'
import { scoreVectors } from './conformance/hashline-vectors.mjs'
import { readCases } from './conformance/read-cases.mjs'
import { readDecisions } from './conformance/read-decisions.mjs'
import { scoreCases } from './conformance/run-case.mjs'
import { printBoard, printCases, printFailures } from './conformance/scoreboard.mjs'
import { root, stop } from './setup.mjs'

const { values: asked } = parseArgs({
  options: {
    family: { type: 'string' },
    refused: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
})
const place = join(root, 'test/edit/conformance')
const decisions = readDecisions(place)
if (asked.write) writeFileSync(join(place, 'DECISIONS.md'), decisionsTable(decisions))

const corpora = process.env.EDITLATCH_CORPORA ?? join(root, '../shared/corpora')
if (!existsSync(join(corpora, 'edit'))) {
  stop(`There are no corpora at ${corpora}; EDITLATCH_CORPORA names their place.`)
}
const wanted = families.filter(({ name }) => asked.family === undefined || asked.family === name)
const scored = await scoreCases(readCases(join(corpora, 'edit')), wanted, decisions)
printBoard(scored)
printFailures(scored)
const vectors = scoreVectors(join(corpora, 'edit/hashline-vectors'))
console.log(`\ngolden anchors of hashline: ${vectors.pass} of ${vectors.cases}`)

const open = undecided(scored)
const stale = asked.family === undefined ? staleDecisions(scored, decisions) : []
console.log(`${open.length} cases of policy are not decided, ${stale.length} decisions are not so`)
for (const one of [...open.map(({ one }) => `not decided: ${one.id}`), ...stale]) console.log(one)
printCases(scored, asked.refused ? ['DAMAGE', 'refused'] : ['DAMAGE'])
const isDamaged = scored.some(({ verdict }) => verdict === 'DAMAGE')
const isWrong = isDamaged || open.length > 0 || stale.length > 0 || vectors.pass < vectors.cases
process.exitCode = isWrong || scored.length === 0 ? 1 : 0
