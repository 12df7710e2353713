import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { damages } from '../../../scripts/bench/damage.mjs'
import { seededRandom } from '../../support/random.js'
import { outlineOf } from './outlines.js'

/** Our own sources: real files, of which the symbols are told intact first. */
const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter(path => path.endsWith('.ts'))
  .toSorted()
  .filter((_, index) => index % 3 === 0)
  .map(path => ({ path, text: readFileSync(`src/${path}`, 'utf8') }))

/**
 * Per cent of the symbols that were kept by the best single parser of each kind that was measured, each against what it
 * told of the intact file. With `missing )` that was 99; against what Babel tells of the intact file, as here, real code
 * keeps 96.
 */
const floors: Readonly<Record<keyof typeof damages, number>> = {
  'missing }': 95,
  'missing {': 92,
  'missing )': 96,
  'one line dropped': 95,
  'half a line': 94,
  'unfinished function': 86,
  'conflict markers': 91,
  '// ... existing code ...': 93,
  'stray fences': 99,
}

async function namesOf(path: string, text: string): Promise<readonly string[]> {
  const { symbols } = await outlineOf(path, text)
  const flat = (list: typeof symbols): readonly string[] =>
    list.flatMap(({ name, children }) => [name, ...flat(children)])
  return flat(symbols)
}

test.each(Object.entries(floors))('%s leaves at least %s %%', async (name, floor) => {
  const random = seededRandom(11)
  let [kept, all] = [0, 0]
  for (const { path, text } of sources) {
    const damaged = damages[name]?.(text.split('\n'), most => random.int(0, most))
    if (damaged === undefined) continue
    const left = [...(await namesOf(path, damaged.join('\n')))]
    for (const symbol of await namesOf(path, text)) {
      all += 1
      const at = left.indexOf(symbol)
      if (at < 0) continue
      kept += 1
      left.splice(at, 1)
    }
  }
  console.log(`${name}: ${kept} of ${all} symbols in ${sources.length} files`)
  expect((100 * kept) / all).toBeGreaterThanOrEqual(floor)
})
