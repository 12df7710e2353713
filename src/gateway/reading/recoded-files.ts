import { lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fixedLimits } from '../../core/limits.js'
import type { LinePattern } from '../../io/git/count-matches.js'
import type { IndexLayout } from '../../io/git/index-file.js'
import { splitNames } from '../../io/git/list-files.js'
import { utf8Of } from '../../io/git/list-names.js'
import { listRecoded, recodingMark } from '../../io/git/list-recoded.js'
import type { MatchedLines } from '../../io/git/read-matches.js'
import type { Checkout } from '../checkout/checkout.js'
import { type Reading, readHits } from './read-hits.js'
import { currentIndex } from './tracked-files.js'

/** Files that no engine can look into, because they stand on the disk in another encoding than their blobs. */
export interface RecodedFiles {
  /** Those that hold the pattern. */
  readonly matched: ReadonlyMap<string, MatchedLines>
  /** All that were looked into. */
  readonly paths: readonly string[]
  /** Files that were not looked into. */
  readonly left: number
}

/** Looks into such files as they are served, a few of them. */
export async function searchRecoded(
  reading: Reading,
  pattern: LinePattern,
  wants: (path: string) => boolean,
): Promise<RecodedFiles> {
  const all = (await recodedFiles(reading.checkout)).filter(wants)
  const paths = all.slice(0, fixedLimits.recodedFiles)
  const matched = new Map<string, MatchedLines>()
  for (const [at, found] of (await readHits(reading, pattern, paths)).entries()) {
    const count = typeof found === 'string' ? 0 : found.count
    if (count > 0) matched.set(paths[at] ?? '', { count, lines: undefined })
  }
  return { matched, paths, left: all.length - paths.length }
}

interface Kept {
  readonly index: IndexLayout
  readonly repository: unknown
  /** What the lists of attributes were. */
  readonly attributes: string
  readonly recoded: readonly string[]
}

const keptFiles = new WeakMap<Checkout, Kept>()

/** Of what git tracks as long as index, configuration and attributes are the same; of the rest each time. */
async function recodedFiles(checkout: Checkout): Promise<readonly string[]> {
  const { place, served, keptListing } = checkout
  const index = currentIndex(checkout)
  const { repository } = served
  const printed = await keptListing.printed()
  const attributes = recodingAttributes(checkout, printed)
  if (attributes === '' && !repository.conversion.otherAttributeFiles) return []
  const others = (await keptListing.others()).flatMap(name => utf8Of(name) ?? [])
  const untracked = await listRecoded(place, others)
  const kept = keptFiles.get(checkout)
  const isSame = kept?.index === index && kept?.repository === repository
  if (kept !== undefined && isSame && kept.attributes === attributes) {
    return [...kept.recoded, ...untracked].sort()
  }
  const recoded = await listRecoded(place, splitNames(printed).files)
  if (index !== undefined && index === currentIndex(checkout)) {
    keptFiles.set(checkout, { index, repository, attributes, recoded })
  }
  return [...recoded, ...untracked].sort()
}

const attributeFile = '.gitattributes'

/** The lists of attributes that speak of encodings, by their stat data; those that git tracks, and one at the root. */
function recodingAttributes(checkout: Checkout, printed: Buffer): string {
  const end = Buffer.from(`${attributeFile}\0`)
  const names = new Set([attributeFile])
  for (let at = printed.indexOf(end); at >= 0; at = printed.indexOf(end, at + 1)) {
    const start = printed.lastIndexOf(0, at) + 1
    names.add(printed.toString('utf8', start, at + attributeFile.length))
  }
  return [...names].flatMap(name => identityOf(join(checkout.path, name)) ?? []).join('\0')
}

/** Undefined for a list that says nothing of encodings. */
function identityOf(path: string): string | undefined {
  try {
    const stat = lstatSync(path)
    if (!stat.isFile() || stat.size > fixedLimits.attributeBytes) return undefined
    const { ino, size, ctimeMs } = stat
    return readFileSync(path).includes(recodingMark)
      ? `${path} ${ino} ${size} ${ctimeMs}`
      : undefined
  } catch {
    return undefined
  }
}
