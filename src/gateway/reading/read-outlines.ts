import { fixedLimits } from '../../core/limits.js'
import { parseRepoPath } from '../../core/repo-path.js'
import type { OutlinedFile } from '../../report/symbols-view.js'
import type { Checkout } from '../checkout/checkout.js'
import type { WorkingTree } from '../checkout/working-tree.js'

/** Files that are read between two looks at the clock. */
const chunkFiles = 32

/** What files declare, those named first for certain, the others as far as time allows; links, binaries and what is gone are left out. */
export async function readOutlines(
  checkout: Checkout,
  tree: WorkingTree,
  paths: readonly string[],
): Promise<readonly OutlinedFile[]> {
  const startedAt = performance.now()
  const found: OutlinedFile[] = []
  for (let at = 0; at < paths.length; at += chunkFiles) {
    if (performance.now() - startedAt > fixedLimits.searchSymbolsMs) break
    found.push(...(await readChunk(checkout, tree, paths.slice(at, at + chunkFiles))))
  }
  return found
}

async function readChunk(
  checkout: Checkout,
  tree: WorkingTree,
  paths: readonly string[],
): Promise<readonly OutlinedFile[]> {
  const read = await Promise.all(
    paths.map(async path => {
      const blob = await tree.read(parseRepoPath(path)).catch(() => undefined)
      return blob === undefined ? [] : [{ path, oid: blob.oid, bytes: blob.bytes }]
    }),
  )
  const blobs = read.flat()
  const outlines = await checkout.served.symbols.outlines(blobs)
  return blobs.flatMap(({ path, oid }, at) => {
    const outline = outlines[at]
    return outline === undefined ? [] : [{ path, rev: oid, outline }]
  })
}
