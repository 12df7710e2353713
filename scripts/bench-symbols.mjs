// `npm run bench:symbols [-- FOLDER...]`: our symbols beside universal-ctags and beside the tags that
// the authors of tree-sitter's grammars define, on real repositories: names and start lines, with the reason of each
// difference; then throughput beside a bare Babel parse of the same files,
// and how free the event loop stays. Without folders it reads this checkout.
import { spawnSync } from 'node:child_process'
import { basename, resolve } from 'node:path'
import { describeMachine } from './bench/machine.mjs'
import { compareWith } from './bench/symbols-compare.mjs'
import { readDamage } from './bench/symbols-damage.mjs'
import { listSources, runCtags } from './bench/symbols-sources.mjs'
import { openTagQueries } from './bench/symbols-tags.mjs'
import { measureThroughput } from './bench/symbols-throughput.mjs'
import { root, stop } from './setup.mjs'

const folders = process.argv.slice(2).map(folder => resolve(folder))
if (spawnSync('ctags', ['--version']).status !== 0) stop('Please install: universal-ctags')

console.log(describeMachine())
const tagsOf = await openTagQueries()
for (const folder of folders.length > 0 ? folders : [root]) {
  console.log(`\n# ${basename(folder)}`)
  const sources = listSources(folder)
  await compareWith('ctags', runCtags(folder, sources), sources)
  const tagged = sources.flatMap(source =>
    [tagsOf(source)].filter(tags => tags !== undefined).map(tags => ({ source, tags })),
  )
  await compareWith(
    'tags',
    tagged.flatMap(({ tags }) => tags),
    tagged.map(({ source }) => source),
  )
  await readDamage(sources)
  await measureThroughput(sources)
}
