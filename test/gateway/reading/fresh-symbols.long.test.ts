import { expect, test } from 'vitest'
import type { WatchKind } from '#src/io/watch.js'
import { compareWithFresh, watchEverything } from '../../support/fresh-symbols.js'

const seed = Number(process.env.EDITLATCH_SEED ?? Date.now() % 1_000_000)

test('no answer on symbols is stale after switches of 5,000 files, bursts and 600 files in 200 new directories', async () => {
  const sizes = { seed, files: 5_000, switches: 4, bursts: 50, directories: 200, compared: 600 }
  const compared = await compareWithFresh(sizes)
  console.log(`seed ${seed}: ${compared} answers compared`)
  expect(compared).toBeGreaterThan(3_500)
}, 600_000)

test.each<WatchKind>(['chokidar', 'directories'])(
  'a watch by %s misses none of 5,000 files that are switched, and none of 600 in new directories',
  async kind => {
    const changed = await watchEverything(kind, 5_000)
    console.log(`${kind}: ${changed} changes, all of them told`)
    expect(changed).toBe(10_600)
  },
  600_000,
)
