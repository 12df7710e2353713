import { ImportResolver } from '../../formats/code/resolve-imports.js'
import { grepImports } from '../../io/git/grep-imports.js'
import { isWithoutFiles } from '../checkout/absent-files.js'
import type { Checkout } from '../checkout/checkout.js'

/** How many files import each file, as far as lines tell it; tests and all. */
export async function countImporters(
  checkout: Checkout,
  files: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const places = isWithoutFiles(checkout) ? [false, true] : [false]
  const asked = places.map(cached => grepImports(checkout.place, { cached }))
  const resolver = new ImportResolver(files)
  const importers = new Map<string, Set<string>>()
  for (const { path, specifier } of (await Promise.all(asked)).flat()) {
    const target = resolver.resolve(path, specifier)
    if (target === undefined || target === path) continue
    const known = importers.get(target) ?? new Set()
    importers.set(target, known.add(path))
  }
  return new Map([...importers].map(([path, from]) => [path, from.size]))
}
