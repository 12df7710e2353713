// `npm run bench:symbols [-- FOLDER...]`: our symbols beside universal-ctags on real repositories: names and
// start lines, with the reason of each difference; then throughput beside a bare Babel parse of the same files,
// and how free the event loop stays. Without folders it reads this checkout.
import { spawnSync } from 'node:child_process'
import { basename, resolve } from 'node:path'
import { describeMachine } from './bench/machine.mjs'
import { compareWithCtags } from './bench/symbols-ctags.mjs'
import { readDamage } from './bench/symbols-damage.mjs'
import { listSources } from './bench/symbols-sources.mjs'
import { measureThroughput } from './bench/symbols-throughput.mjs'
import { root, stop } from './setup.mjs'

const folders = process.argv.slice(2).map(folder => resolve(folder))
if (spawnSync('ctags', ['--version']).status !== 0) stop('Please install: universal-ctags')

console.log(describeMachine())
for (const folder of folders.length > 0 ? folders : [root]) {
  console.log(`\n# ${basename(folder)}`)
  const sources = listSources(folder)
  await compareWithCtags(folder, sources)
  await readDamage(sources)
  await measureThroughput(sources)
}
