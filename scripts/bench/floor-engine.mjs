// What the disk alone takes for a batch of durability power: as many files of the same bytes written and synced, and as
// many directories, all at once.
import { mkdirSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { gitBytes } from '../replay/git.mjs'
import { changedTexts } from './changed-texts.mjs'
import { serveEngine } from './serve-engine.mjs'

/** Bytes of what is the same for every batch: the intent of one file, a packed commit, a ref. */
const [intentBytes, commitBytes, refBytes] = [330, 280, 41]
/** Of the intent, the ref (three up to `refs`), and the index. */
const directoriesOfEach = 5

await serveEngine(async ({ clone, folder, base, texts }) => {
  const place = join(folder, 'floor')
  const treeBytes = measureTrees(clone, base, texts)
  const indexBytes =
    90 * gitBytes(clone, ['ls-tree', '-r', '--name-only', base]).toString().split('\n').length
  return {
    path: '',
    prepare: async batch => {
      const changed = changedTexts(texts, batch)
      const directories = new Set(changed.flatMap(([path]) => directoriesAbove(path)))
      const objects = [
        commitBytes,
        ...[...directories].map(directory => treeBytes.get(directory) ?? 0),
        ...changed.map(([, text]) => deflateSync(text, { level: 1 }).length),
      ]
      const others = [
        intentBytes * changed.length,
        refBytes,
        indexBytes,
        ...changed.map(([, text]) => Buffer.byteLength(text)),
      ]
      const contents = [...objects, ...others].map(bytes => Buffer.alloc(bytes, 'x'))
      const count = objects.length + directories.size + directoriesOfEach
      const homes = Array.from({ length: count }, (_, index) => join(place, `${index}`))
      for (const one of homes) mkdirSync(one, { recursive: true })
      return async () => {
        await Promise.all(
          contents.map((bytes, index) => {
            const home = homes[index % count] ?? ''
            return writeSynced(join(home, `${batch.number}-${index}`), bytes)
          }),
        )
        await Promise.all(homes.map(sync))
      }
    },
    stop: async () => undefined,
  }
})

/**
 * @param {string} path
 * @param {Uint8Array} bytes
 */
async function writeSynced(path, bytes) {
  const file = await open(path, 'wx')
  await file.writeFile(bytes)
  await file.sync()
  await file.close()
}

/** @param {string} path */
async function sync(path) {
  const directory = await open(path, 'r')
  await directory.sync()
  await directory.close()
}

/**
 * The packed bytes of the trees above some files.
 * @param {string} clone
 * @param {string} base
 * @param {readonly (readonly [path: string, text: string])[]} texts
 */
function measureTrees(clone, base, texts) {
  const bytes = new Map()
  for (const directory of texts.flatMap(([path]) => directoriesAbove(path))) {
    if (bytes.has(directory)) continue
    const name = `${base}:${directory === '.' ? '' : directory}`
    bytes.set(
      directory,
      deflateSync(gitBytes(clone, ['cat-file', 'tree', name]), { level: 1 }).length,
    )
  }
  return bytes
}

/**
 * @param {string} path
 * @returns {readonly string[]}
 */
function directoriesAbove(path) {
  const above = dirname(path)
  return above === '.' ? ['.'] : [above, ...directoriesAbove(above)]
}
