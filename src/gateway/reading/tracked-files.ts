import { fixedLimits } from '../../core/limits.js'
import { parentOf } from '../../io/files/standing-directories.js'
import { findEntry, type IndexLayout, readIndex } from '../../io/git/index-file.js'
import { listRegular, utf8Of } from '../../io/git/list-names.js'
import type { Checkout } from '../checkout/checkout.js'

/** Regular files of the index, by their bytes as latin1, and where they stand. */
export interface TrackedFiles {
  has(name: string): boolean
  /** Those whose names are UTF-8: others cannot be told to a program. */
  readonly directories: readonly string[]
}

interface Kept {
  readonly index: IndexLayout
  /** Undefined where there are too many to keep: then the index itself is looked into. */
  readonly regular: ReadonlySet<string> | undefined
  readonly directories: readonly string[]
}

const keptLists = new WeakMap<Checkout, Kept>()

/** Asked of git; what it said is kept as long as the index is the same. */
export async function trackedFiles(checkout: Checkout): Promise<TrackedFiles> {
  const index = currentIndex(checkout)
  const kept = keptLists.get(checkout)
  const known = kept !== undefined && kept.index === index ? inMemory(kept) : undefined
  if (known !== undefined) return known
  const regular = await listRegular(checkout.place)
  const directories = directoriesOf(regular)
  if (index !== undefined && index === currentIndex(checkout)) {
    const isMany = regular.size > fixedLimits.keptListFiles
    keptLists.set(checkout, { index, regular: isMany ? undefined : regular, directories })
  }
  return { has: name => regular.has(name), directories }
}

/** The directories of names. */
export function directoriesOf(names: Iterable<string>): readonly string[] {
  const directories = new Set<string>()
  let last: string | undefined
  for (const name of names) {
    const directory = parentOf(name)
    // Neighbours in the list are neighbours on the disk.
    if (directory === last) continue
    last = directory
    const text = utf8Of(directory)
    if (text !== undefined) directories.add(text)
  }
  return [...directories]
}

/** Undefined where neither the names nor the bytes of the index are held. */
function inMemory({ index, regular, directories }: Kept): TrackedFiles | undefined {
  if (regular !== undefined) return { has: name => regular.has(name), directories }
  if (!index.searchable || index.memory?.bytes === undefined) return undefined
  const has = (name: string): boolean =>
    findEntry(index, Buffer.from(name, 'latin1'))?.mode.startsWith('100') === true
  return { has, directories }
}

/** The index as it is now; undefined where only git can read it. */
export function currentIndex(checkout: Checkout): IndexLayout | undefined {
  try {
    const index = readIndex(checkout.indexPath, checkout.indexCache)
    return index.identity && index
  } catch {
    return undefined
  }
}
