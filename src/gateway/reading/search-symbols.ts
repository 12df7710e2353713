import { globMatcher } from '../../core/glob.js'
import { fixedLimits, type Limits } from '../../core/limits.js'
import { parseRepoPath } from '../../core/repo-path.js'
import { readingKey } from '../../formats/code/registry.js'
import { grepFiles } from '../../io/git/grep-files.js'
import type { OutlinedFile } from '../../report/symbols-view.js'
import { isWithoutFiles } from '../checkout/absent-files.js'
import type { Checkout } from '../checkout/checkout.js'
import { currentTree } from '../landing/apply-change.js'
import type { PlacedBlob } from '../repository/symbol-index.js'

/** Which symbols to look for. */
export interface SymbolQuery {
  /** A part of a name in any case; after slashes also parts of the names of its owners. */
  readonly query: string
  /** A glob, or how the paths begin. */
  readonly path?: string
}

/** The files that may hold what was asked for, outlined as far as number and time allow. */
export interface SearchedFiles {
  readonly files: readonly OutlinedFile[]
  /** Files that were not looked into. */
  readonly left: number
}

/** Files that are read between two looks at the clock. */
const chunkFiles = 32

/** Outlines the files that hold the last name of a query; those that hold it as a word come first. */
export async function searchFiles(
  checkout: Checkout,
  { query, path = '' }: SymbolQuery,
  limits: Limits,
): Promise<SearchedFiles> {
  const holding = await candidates(checkout, query.replace(/.*\/(?=.)/s, ''))
  return outlineFitting(checkout, holding, { path, limits })
}

/** Outlines those of the files whose paths fit, the first ones first, as far as number and time allow. */
export async function outlineFitting(
  checkout: Checkout,
  holding: readonly string[],
  { path, limits }: { readonly path: string; readonly limits: Limits },
): Promise<SearchedFiles> {
  const startedAt = performance.now()
  const fits = pathMatcher(path)
  const wanted = holding.filter(name => readingKey(name) !== undefined && fits(name))
  const readable = wanted.slice(0, fixedLimits.symbolFiles)
  const files: OutlinedFile[] = []
  let looked = 0
  while (looked < readable.length) {
    if (performance.now() - startedAt > fixedLimits.symbolSearchMs) break
    const chunk = readable.slice(looked, looked + chunkFiles)
    files.push(...(await outlined(checkout, chunk, limits)))
    looked += chunk.length
  }
  return { files, left: wanted.length - looked }
}

async function candidates(checkout: Checkout, text: string): Promise<readonly string[]> {
  const places = isWithoutFiles(checkout) ? [true, false] : [false]
  const asked = (['word', 'part'] as const).flatMap(match =>
    places.map(cached => grepFiles(checkout.place, { text, match, cached })),
  )
  return [...new Set((await Promise.all(asked)).flat())]
}

function pathMatcher(path: string): (name: string) => boolean {
  if (!/[*?[{]/.test(path)) return name => name.startsWith(path)
  return globMatcher(path, { maxSteps: fixedLimits.globSteps })
}

async function outlined(
  checkout: Checkout,
  names: readonly string[],
  limits: Limits,
): Promise<readonly OutlinedFile[]> {
  const tree = await currentTree(checkout, limits)
  const blobs: PlacedBlob[] = []
  for (const name of names) {
    // Symbolic links and what is gone meanwhile are nobody's answer.
    const blob = await tree.read(parseRepoPath(name)).catch(() => undefined)
    if (blob !== undefined) blobs.push({ path: name, oid: blob.oid, bytes: blob.bytes })
  }
  const outlines = await checkout.served.symbols.outlines(blobs)
  return blobs.flatMap(({ path, oid }, at) => {
    const outline = outlines[at]
    return outline === undefined ? [] : [{ path, rev: oid, outline }]
  })
}
