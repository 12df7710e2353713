// How many of an intact script's symbols are still found once it is damaged.
import { readOutline } from '../../dist/formats/code/read-outline.js'
import { randomFrom } from '../torture/random.mjs'
import { damages } from './damage.mjs'
import { benchEngines } from './symbols-engines.mjs'

const maxFiles = 300

/** @param {readonly import('./symbols-sources.mjs').Source[]} sources */
export async function readDamage(sources) {
  const scripts = sources.filter(({ path }) => /\.tsx?$/.test(path)).slice(0, maxFiles)
  if (scripts.length === 0) return
  for (const [name, damage] of Object.entries(damages)) {
    const tally = { kept: 0, all: 0, invented: 0, files: 0 }
    const chance = randomFrom(7)
    for (const { path, text } of scripts) {
      const damaged = damage(text.split('\n'), chance)
      if (damaged === undefined) continue
      const before = await namesOf({ path, text })
      const after = countOf(await namesOf({ path, text: damaged.join('\n') }))
      for (const name of before) {
        const left = after.get(name) ?? 0
        if (left > 0) tally.kept += 1
        after.set(name, left - 1)
      }
      tally.all += before.length
      tally.invented += [...after.values()].filter(left => left > 0).length
      tally.files += 1
    }
    const share = (100 * tally.kept) / Math.max(tally.all, 1)
    console.log(
      `${name.padEnd(26)} keeps ${share.toFixed(1).padStart(5)} % of ${tally.all} symbols in ${tally.files} files`,
    )
  }
}

/** @param {import('./symbols-sources.mjs').Source} source */
async function namesOf(source) {
  const { symbols } = await readOutline(source, benchEngines)
  /** @param {typeof symbols} list @returns {string[]} */
  const flat = list => list.flatMap(({ name, children }) => [name, ...flat(children)])
  return flat(symbols)
}

/** @param {readonly string[]} names */
function countOf(names) {
  /** @type {Map<string, number>} */
  const counts = new Map()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}
