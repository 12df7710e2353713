import { type Oid, parseOid } from '../../core/oid.js'

/** One line of a git tree. The mode is as it is written there (`40000`, `100644`, old `100664` too). */
export interface TreeEntry {
  readonly mode: string
  /** UTF-8 where it is, else undecodable; never written back from here. */
  readonly name: string
  readonly oid: Oid
}

export const directoryMode = '40000'

/** All entries of a tree, in its own order. */
export function parseTree(body: Buffer, oidBytes: number): readonly TreeEntry[] {
  return [...rawEntries(body, oidBytes)].map(raw => ({
    mode: raw.mode,
    name: raw.name.toString('utf8'),
    oid: parseOid(raw.oid.toString('hex')),
  }))
}

/** The entry of exactly this name. */
export function findTreeEntry(body: Buffer, oidBytes: number, name: string): TreeEntry | undefined {
  const wanted = Buffer.from(name, 'utf8')
  for (const raw of rawEntries(body, oidBytes)) {
    if (raw.name.equals(wanted))
      return { mode: raw.mode, name, oid: parseOid(raw.oid.toString('hex')) }
  }
  return undefined
}

/**
 * The tree with some entries replaced, added or (undefined) removed. All others keep their very bytes,
 * so that names that are no UTF-8 and modes that git writes no more survive.
 */
export function rewriteTree(
  body: Buffer,
  oidBytes: number,
  changes: ReadonlyMap<string, Omit<TreeEntry, 'name'> | undefined>,
): Buffer {
  const kept: SortableEntry[] = []
  const replaced = new Set(
    [...changes.keys()].map(name => Buffer.from(name, 'utf8').toString('latin1')),
  )
  for (const raw of rawEntries(body, oidBytes)) {
    if (!replaced.has(raw.name.toString('latin1')))
      kept.push({ key: sortKey(raw.name, raw.mode), bytes: raw.bytes })
  }
  const fresh: SortableEntry[] = []
  for (const [name, entry] of changes) {
    if (entry !== undefined) fresh.push(serialise(Buffer.from(name, 'utf8'), entry))
  }
  fresh.sort((a, b) => a.key.compare(b.key))
  return Buffer.concat(merge(kept, fresh).map(entry => entry.bytes))
}

interface RawEntry {
  readonly mode: string
  readonly name: Buffer
  readonly oid: Buffer
  readonly bytes: Buffer
}

interface SortableEntry {
  readonly key: Buffer
  readonly bytes: Buffer
}

function* rawEntries(body: Buffer, oidBytes: number): Generator<RawEntry> {
  let at = 0
  while (at < body.length) {
    const space = body.indexOf(0x20, at)
    const nul = body.indexOf(0, space)
    const end = nul + 1 + oidBytes
    if (space < 0 || nul < 0 || end > body.length) throw new Error('a git tree is cut off')
    yield {
      mode: body.toString('latin1', at, space),
      name: body.subarray(space + 1, nul),
      oid: body.subarray(nul + 1, end),
      bytes: body.subarray(at, end),
    }
    at = end
  }
}

/** Git sorts directories as if their names ended in a slash. */
function sortKey(name: Buffer, mode: string): Buffer {
  return mode === directoryMode ? Buffer.concat([name, slash]) : name
}

const slash = Buffer.from('/')

function serialise(name: Buffer, entry: Omit<TreeEntry, 'name'>): SortableEntry {
  const head = Buffer.from(`${entry.mode} `, 'latin1')
  const bytes = Buffer.concat([head, name, Buffer.alloc(1), Buffer.from(entry.oid, 'hex')])
  return { key: sortKey(name, entry.mode), bytes }
}

function merge(kept: readonly SortableEntry[], fresh: readonly SortableEntry[]): SortableEntry[] {
  const merged: SortableEntry[] = []
  let next = 0
  for (const entry of kept) {
    for (
      let candidate = fresh[next];
      candidate && candidate.key.compare(entry.key) < 0;
      candidate = fresh[next]
    ) {
      merged.push(candidate)
      next += 1
    }
    merged.push(entry)
  }
  return [...merged, ...fresh.slice(next)]
}
