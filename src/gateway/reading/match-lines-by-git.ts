import type { LinePattern } from '../../io/git/count-matches.js'
import { type GrepLine, grepLines } from '../../io/git/grep-lines.js'
import type { PlaceInLine, ShownLines } from '../../report/search-hits.js'
import { isWithoutFiles } from '../checkout/absent-files.js'
import type { Checkout } from '../checkout/checkout.js'

/**
 * Where ripgrep is not installed: git looks at the files on the disk, and only those of its lines count that the file
 * has as it is served.
 */
export async function matchLinesByGit(
  checkout: Checkout,
  pattern: LinePattern,
  files: readonly { readonly path: string; readonly file: ShownLines }[],
): Promise<readonly (readonly PlaceInLine[])[]> {
  if (files.length === 0) return []
  const paths = files.map(({ path }) => path)
  const places = isWithoutFiles(checkout) ? [false, true] : [false]
  const asked = places.map(cached => grepLines(checkout.place, pattern, { paths, cached }))
  const found = (await Promise.all(asked)).flat()
  return files.map(({ path, file }) => {
    const own = new Map<number, PlaceInLine>()
    for (const one of found) {
      const place = one.path === path ? placeOf(file, one) : undefined
      if (place !== undefined) own.set(place.line, place)
    }
    return [...own.values()].sort((a, b) => a.line - b.line)
  })
}

function placeOf(file: ShownLines, found: GrepLine): PlaceInLine | undefined {
  const { line } = found
  if (!file.hasLine(line)) return undefined
  const served = file.textOf(line).toWellFormed()
  const seen = found.text.toString('utf8').replace(/\r$/, '')
  // Bytes that are no UTF-8 stand in both as marks of loss, not always as many.
  const isSame = served.replace(/\ufffd+/g, '\ufffd') === seen.replace(/\ufffd+/g, '\ufffd')
  return isSame ? { line, at: found.text.toString('utf8', 0, found.byte).length } : undefined
}
