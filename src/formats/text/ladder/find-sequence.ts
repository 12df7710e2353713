import type { LineSearch } from './level.js'

/** What makes two lines equal, and what more a place must hold. */
export interface Comparison {
  /** Equal keys are equal lines. */
  wantedKey(line: string): string
  /** False for a line that cannot be equal to a wanted one; cheaper than its key. */
  mayFit(line: number): boolean
  lineKey(line: number): string
  holds(start: number): boolean
}

/** The lines, from 0, at which the wanted ones begin; in time linear in the text but for what `holds` spends. */
export function findSequence(search: LineSearch, comparison: Comparison): readonly number[] {
  const { table, wanted, limit, overlap } = search
  const ids = new Map<string, number>()
  const pattern = wanted.map(line => idOf(ids, comparison.wantedKey(line)))
  const borders = bordersOf(pattern)
  const starts: number[] = []
  let matched = 0
  for (let line = 0; line < table.count && starts.length < limit; line += 1) {
    const id = comparison.mayFit(line) ? ids.get(comparison.lineKey(line)) : undefined
    while (matched > 0 && pattern[matched] !== id) matched = borders[matched - 1] ?? 0
    if (pattern[matched] === id) matched += 1
    if (matched < pattern.length) continue
    const start = line + 1 - matched
    const isPlace = comparison.holds(start)
    if (isPlace) starts.push(start)
    matched = isPlace && overlap === 'dropped' ? 0 : (borders[matched - 1] ?? 0)
  }
  return starts
}

function idOf(ids: Map<string, number>, key: string): number {
  const id = ids.get(key) ?? ids.size
  ids.set(key, id)
  return id
}

/** For each beginning of the pattern, how long its longest beginning is that is also its end. */
function bordersOf(pattern: readonly number[]): Uint32Array {
  const borders = new Uint32Array(pattern.length)
  let matched = 0
  for (let at = 1; at < pattern.length; at += 1) {
    while (matched > 0 && pattern[matched] !== pattern[at]) matched = borders[matched - 1] ?? 0
    if (pattern[matched] === pattern[at]) matched += 1
    borders[at] = matched
  }
  return borders
}
