import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** One of 256: object ids are spread evenly. */
const sampled = '17'

/** About how many loose objects there are, and their bytes, in the way of `git gc --auto`: from one directory of them. */
export function estimateLoose(objectsDir: string): {
  readonly count: number
  readonly bytes: number
} {
  const directory = join(objectsDir, sampled)
  const names = list(directory).filter(name => /^[0-9a-f]+$/.test(name))
  const bytes = names.map(name => bytesOf(join(directory, name)))
  return { count: names.length * 256, bytes: sum(bytes) * 256 }
}

/**
 * Bytes of the packs that a geometric repack would take besides this much: each that is less than twice as large as
 * all before it together. Git counts objects, so this is a guess.
 */
export function bytesToRoll(objectsDir: string, looseBytes: number): number {
  const directory = join(objectsDir, 'pack')
  const names = list(directory)
  const kept = new Set(names.filter(name => name.endsWith('.keep')).map(name => name.slice(0, -5)))
  const rolled = names.filter(name => name.endsWith('.pack') && !kept.has(name.slice(0, -5)))
  const sizes = rolled.map(name => bytesOf(join(directory, name))).sort((a, b) => a - b)
  let below = looseBytes
  let taken = 0
  for (const size of sizes) {
    below += size
    if (size < 2 * (below - size)) taken = below - looseBytes
  }
  return taken
}

/** True where objects may be missing because they can be fetched: a pack says so. */
export function hasPromisorPack(objectsDir: string): boolean {
  return list(join(objectsDir, 'pack')).some(name => name.endsWith('.promisor'))
}

function list(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}

function bytesOf(path: string): number {
  return lstatSync(path, { throwIfNoEntry: false })?.size ?? 0
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
