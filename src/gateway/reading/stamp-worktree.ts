import { createHash, type Hash } from 'node:crypto'
import { lstatSync, type Stats } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import type { IndexLayout } from '../../io/git/index-file.js'
import { listChanged, listTagged } from '../../io/git/list-names.js'
import type { Checkout } from '../checkout/checkout.js'
import { currentIndex } from './tracked-files.js'

/** What the files of a worktree are at a moment, without their content. */
export interface WorktreeStamp {
  /** Two equal ones stand for equal files: the same head, index, listing, and stat data of all that the index does not vouch for. */
  readonly key: string
  readonly head: string
  /** When anything of it was changed last, in milliseconds since 1970; by change times, which nobody can set. */
  readonly newestMs: number
}

/** Paths looked at before others may have a turn: some 4 ms. */
const atOnce = 1_000

/**
 * Looks at the whole worktree as `git status` would, and at its directories: an entry that comes or goes changes the
 * time of its directory, so that nothing is missed that was there only meanwhile. `above` names further files whose
 * directories count although git may list nothing there now. Names are bytes as latin1.
 */
export async function stampWorktree(
  checkout: Checkout,
  above: readonly string[] = [],
): Promise<WorktreeStamp> {
  const { place } = checkout
  const looks = new Looks(checkout.path)
  looks.index(checkout.indexPath)
  const [head, tagged, others, changed] = await Promise.all([
    checkout.head(),
    trackedShape(checkout),
    checkout.keptListing.others(),
    listChanged(place),
  ])
  const suspect = new Set([...others, ...changed.paths, ...tagged.unwatched])
  const loose = ancestors([...others, ...above])
  const directories = new Set([...tagged.directories, ...loose])
  for (const directory of directories) await looks.at(directory)
  // One that is ignored itself is in no listing, and yet says what is listed.
  for (const directory of loose)
    await looks.at(directory === '' ? ignoring : `${directory}/${ignoring}`)
  for (const path of suspect) await looks.at(path)
  looks.index(checkout.indexPath)
  return looks.stamp(head, [changed.raw, Buffer.from(others.join('\0'), 'latin1')])
}

const ignoring = '.gitignore'

/** What the index tells of the files that it tracks. */
interface TrackedShape {
  readonly index: IndexLayout
  readonly directories: ReadonlySet<string>
  /** Files that git was told not to look at. */
  readonly unwatched: readonly string[]
}

const keptShapes = new WeakMap<Checkout, TrackedShape>()

/** Kept as long as the index is the same. */
async function trackedShape(checkout: Checkout): Promise<Omit<TrackedShape, 'index'>> {
  const index = currentIndex(checkout)
  const kept = keptShapes.get(checkout)
  if (kept !== undefined && kept.index === index) return kept
  const { names, unwatched } = await listTagged(checkout.place)
  const directories = ancestors(names)
  if (index !== undefined && index === currentIndex(checkout)) {
    keptShapes.set(checkout, { index, directories, unwatched })
  }
  return { directories, unwatched }
}

/** Everything that was looked at, in one hash. */
class Looks {
  readonly #root: Buffer
  readonly #hash: Hash = createHash('sha256')
  #newestMs = 0
  #count = 0

  constructor(root: string) {
    this.#root = Buffer.from(`${root}/`)
  }

  index(path: string): void {
    this.#add('index', lstatSync(path, { throwIfNoEntry: false }))
  }

  async at(name: string): Promise<void> {
    this.#add(name, statOf(Buffer.concat([this.#root, Buffer.from(name, 'latin1')])))
    this.#count += 1
    if (this.#count % atOnce === 0) await turn()
  }

  stamp(head: string, listings: readonly Buffer[]): WorktreeStamp {
    this.#hash.update(`${head}\0`)
    for (const listing of listings) this.#hash.update(listing).update('\0\0')
    return { key: this.#hash.digest('hex'), head, newestMs: this.#newestMs }
  }

  #add(name: string, stat: Stats | undefined): void {
    const { ino, size, mode, mtimeMs, ctimeMs } = stat ?? {}
    this.#hash.update(`${name}\0${ino} ${size} ${mode} ${mtimeMs} ${ctimeMs}\0`)
    this.#newestMs = Math.max(this.#newestMs, ctimeMs ?? 0)
  }
}

function statOf(path: Buffer): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    // A file stands above it, or it may not be looked at: then nobody reads it either.
    return undefined
  }
}

/** All directories above some names, the root among them. */
function ancestors(names: Iterable<string>): Set<string> {
  const found = new Set<string>([''])
  let last = ''
  for (const name of names) {
    let directory = name.slice(0, Math.max(name.lastIndexOf('/'), 0))
    // Neighbours in a listing are mostly neighbours on the disk.
    if (directory === last) continue
    last = directory
    while (!found.has(directory)) {
      found.add(directory)
      directory = directory.slice(0, Math.max(directory.lastIndexOf('/'), 0))
    }
  }
  return found
}
