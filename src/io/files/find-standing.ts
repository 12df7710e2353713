import { readdirSync } from 'node:fs'
import { posix } from 'node:path'
import { unlessErrno, withRefusals } from './io-refusal.js'

/** What stands at some paths of a directory. Names have one character a byte. */
export interface Standing {
  /** A file, a link or something special is there. */
  readonly present: readonly string[]
  readonly absent: readonly string[]
  /** Nothing can be there: a directory stands at the path, or something else than a directory above it. */
  readonly obstructed: readonly string[]
}

/** Looks which of the paths below `root` are there. Only directories that exist are read, each once, and no link is followed. */
export function findStanding(root: string, names: readonly string[]): Standing {
  return withRefusals(() => {
    const listings = new Map<string, Listing>()
    const found = { present: [] as string[], absent: [] as string[], obstructed: [] as string[] }
    for (const name of names) found[look(root, name, listings)].push(name)
    return found
  })
}

/** The names in a directory that is there, with whether each is a directory. */
type Listing = ReadonlyMap<string, boolean> | 'absent' | 'obstructed'

function look(root: string, name: string, listings: Map<string, Listing>): keyof Standing {
  const listing = list(root, parentOf(name), listings)
  if (listing === 'absent' || listing === 'obstructed') return listing
  const isDirectory = listing.get(posix.basename(name))
  if (isDirectory === undefined) return 'absent'
  return isDirectory ? 'obstructed' : 'present'
}

function list(root: string, directory: string, listings: Map<string, Listing>): Listing {
  const known = listings.get(directory)
  if (known !== undefined) return known
  const listing = readListing(root, directory, listings)
  listings.set(directory, listing)
  return listing
}

function readListing(root: string, directory: string, listings: Map<string, Listing>): Listing {
  if (directory !== '') {
    const above = list(root, parentOf(directory), listings)
    if (above === 'absent' || above === 'obstructed') return above
    const isDirectory = above.get(posix.basename(directory))
    if (isDirectory !== true) return isDirectory === undefined ? 'absent' : 'obstructed'
  }
  const path = Buffer.concat([Buffer.from(`${root}/`), Buffer.from(directory, 'latin1')])
  const entries = unlessErrno(['ENOENT', 'ENOTDIR'], () =>
    readdirSync(path, { withFileTypes: true, encoding: 'latin1' }),
  )
  // It was there a moment ago.
  if (entries === undefined) return 'obstructed'
  return new Map(entries.map(entry => [entry.name, entry.isDirectory()]))
}

function parentOf(name: string): string {
  const parent = posix.dirname(name)
  return parent === '.' ? '' : parent
}
