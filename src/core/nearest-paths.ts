/**
 * The paths of a list that are most like one that is not among them, best first: those that end alike (a folder was
 * forgotten or is another one), then those whose names are alike.
 */
export function nearestPaths(
  wanted: string,
  paths: readonly string[],
  count: number,
): readonly string[] {
  const name = nameOf(wanted).toLowerCase()
  const pairs = pairsOf(name)
  const parts = wanted.toLowerCase().split('/')
  return paths
    .map(path => ({ path, score: scoreOf(path.toLowerCase(), { name, pairs, parts }) }))
    .filter(({ score }) => score >= leastScore)
    .toSorted((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1))
    .slice(0, count)
    .map(({ path }) => path)
}

interface Wanted {
  readonly name: string
  readonly pairs: ReadonlySet<string>
  readonly parts: readonly string[]
}

const leastScore = 0.6

/** The likeness of the names, and a little for each folder that both have. */
function scoreOf(path: string, { name, pairs, parts }: Wanted): number {
  const own = nameOf(path)
  const alike = own === name ? 1 : likeness(pairsOf(own), pairs)
  if (alike < leastScore) return 0
  const folders = path.split('/').slice(0, -1)
  const shared = folders.filter(folder => parts.includes(folder)).length
  return alike + (0.3 * shared) / Math.max(folders.length, parts.length)
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Pairs of neighbouring letters, the first and the last with the ends of the name. */
function pairsOf(name: string): ReadonlySet<string> {
  const bounded = `^${name}$`
  return new Set(Array.from({ length: bounded.length - 1 }, (_, at) => bounded.slice(at, at + 2)))
}

function likeness(some: ReadonlySet<string>, others: ReadonlySet<string>): number {
  let shared = 0
  for (const pair of some) if (others.has(pair)) shared += 1
  return (2 * shared) / (some.size + others.size)
}
