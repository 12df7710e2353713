import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What decides how a text is read: our readers with their grammars, and what stands below them. */
const folders = ['../../formats/code/', '../../formats/text/', '../../core/']
const packages = ['@babel/parser', 'web-tree-sitter', 'web-tree-sitter/web-tree-sitter.wasm']

let version: Promise<string> | undefined

/** The same for two programs only where they read every text alike: a digest of all that reads. */
export function readersVersion(): Promise<string> {
  version ??= digest()
  return version
}

async function digest(): Promise<string> {
  const hash = createHash('sha256')
  const places = packages.map(name => fileURLToPath(import.meta.resolve(name)))
  for (const folder of folders) {
    const place = fileURLToPath(new URL(folder, import.meta.url))
    const names = await readdir(place, { recursive: true })
    const loaded = names.filter(name => /\.(?:js|wasm\.gz)$/.test(name)).sort()
    places.push(...loaded.map(name => join(place, name)))
  }
  for (const bytes of await Promise.all(places.map(place => readFile(place)))) {
    hash.update(createHash('sha256').update(bytes).digest())
  }
  return hash.digest('hex').slice(0, 16)
}
