import { Refusal } from '../../core/errors.js'
import type { CodeSymbol, Outline } from '../../core/outline.js'
import { type FoundSymbol, findSymbols, listSymbols } from './find-symbols.js'

/** Symbols that a refusal names. */
const toldSymbols = 10

/** The one symbol that a query means. `AMBIGUOUS_MATCH` with all that it may mean, `NOT_FOUND` with the nearest names. */
export function pickSymbol({ symbols }: Outline, query: string): CodeSymbol {
  const found = findSymbols(symbols, query)
  const [first] = found
  if (first === undefined) {
    const nearest = nearestNames(listSymbols(symbols), query)
    throw new Refusal('NOT_FOUND', { symbol: query, nearest: nearest.map(toldSymbol) })
  }
  if (found.length === 1) return first.symbol
  const matches = found.slice(0, toldSymbols).map(toldSymbol)
  const problem = 'name one of them by its whole name path, or add @L and its line'
  throw new Refusal('AMBIGUOUS_MATCH', { symbol: query, count: found.length, matches, problem })
}

function toldSymbol({ name_path, symbol }: FoundSymbol): Readonly<Record<string, unknown>> {
  const { kind, start_line, end_line } = symbol
  return { name_path, kind, start_line, end_line }
}

/** Those whose name shares most pairs of letters with the last name of the query. */
function nearestNames(all: readonly FoundSymbol[], query: string): readonly FoundSymbol[] {
  const wanted = pairsOf(query.replace(/@L\d+$/, '').replace(/.*\/(?=.)/s, ''))
  return all
    .map(found => ({ found, alike: likeness(pairsOf(found.symbol.name), wanted) }))
    .filter(({ alike }) => alike > 0.3)
    .toSorted((a, b) => b.alike - a.alike)
    .slice(0, toldSymbols)
    .map(({ found }) => found)
}

function pairsOf(name: string): ReadonlySet<string> {
  const lower = `^${name.slice(0, 100).toLowerCase()}`
  return new Set([...lower].slice(1).map((_, at) => lower.slice(at, at + 2)))
}

function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter(pair => b.has(pair)).length
  return (2 * shared) / Math.max(a.size + b.size, 1)
}
