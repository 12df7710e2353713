import type { CodeSymbol } from '../../core/outline.js'

/** A symbol with the path that names it alone. */
export interface FoundSymbol {
  /** As in `Class/method`; `[i]`, from 0, follows a name that its owner holds more than once. */
  readonly name_path: string
  readonly symbol: CodeSymbol
}

/** A symbol below its owners, outermost first. */
interface Place {
  readonly symbol: CodeSymbol
  readonly ordinal: string
  readonly owner: Place | undefined
}

/**
 * Every symbol that a query may mean: a name, an end of a name path (`Class/method`), all of it
 * after a leading `/`; `[i]` picks among equal names and a last `@L12` among lines. Two or more
 * answers are for the caller to refuse.
 */
export function findSymbols(symbols: readonly CodeSymbol[], query: string): readonly FoundSymbol[] {
  const [, path = query, line] = /^(.+)@L(\d{1,9})$/s.exec(query) ?? []
  return placesOf(symbols, undefined)
    .filter(place => matchesPath(place, path) && (line === undefined || isAt(place, Number(line))))
    .map(foundOf)
}

/** Every symbol of an outline with its name path, owners before what they hold. */
export function listSymbols(symbols: readonly CodeSymbol[]): readonly FoundSymbol[] {
  return placesOf(symbols, undefined).map(foundOf)
}

/** The last symbol that fits, in the order of `listSymbols`: where it is about a place, the innermost one. */
export function lastSymbol(
  symbols: readonly CodeSymbol[],
  fits: (symbol: CodeSymbol) => boolean,
): FoundSymbol | undefined {
  let place: Place | undefined
  let siblings = symbols
  // Only what lies on the way is given a place.
  for (const at of lastPath(symbols, fits)) {
    place = placeOf(siblings, at, place)
    siblings = place?.symbol.children ?? []
  }
  return place && foundOf(place)
}

/** Where the symbol stands: the position of its outermost owner, and so on; empty where none fits. */
function lastPath(
  symbols: readonly CodeSymbol[],
  fits: (symbol: CodeSymbol) => boolean,
): readonly number[] {
  for (let at = symbols.length - 1; at >= 0; at -= 1) {
    const symbol = symbols[at]
    if (symbol === undefined) continue
    const below = lastPath(symbol.children, fits)
    if (below.length > 0 || fits(symbol)) return [at, ...below]
  }
  return []
}

function placeOf(
  symbols: readonly CodeSymbol[],
  at: number,
  owner: Place | undefined,
): Place | undefined {
  const symbol = symbols[at]
  if (symbol === undefined) return undefined
  const isSame = ({ name }: CodeSymbol): boolean => name === symbol.name
  const isAlone = symbols.filter(isSame).length === 1
  const ordinal = isAlone ? '' : `[${symbols.slice(0, at).filter(isSame).length}]`
  return { symbol, ordinal, owner }
}

function foundOf(place: Place): FoundSymbol {
  return { name_path: namePath(place), symbol: place.symbol }
}

function placesOf(symbols: readonly CodeSymbol[], owner: Place | undefined): readonly Place[] {
  const counts = new Map<string, number>()
  for (const { name } of symbols) counts.set(name, (counts.get(name) ?? 0) + 1)
  const seen = new Map<string, number>()
  return symbols.flatMap(symbol => {
    const index = seen.get(symbol.name) ?? 0
    seen.set(symbol.name, index + 1)
    const ordinal = (counts.get(symbol.name) ?? 0) > 1 ? `[${index}]` : ''
    const place = { symbol, ordinal, owner }
    return [place, ...placesOf(symbol.children, place)]
  })
}

function isAt({ symbol }: Place, line: number): boolean {
  return symbol.start_line === line || symbol.name_line === line
}

/** Names may hold slashes and brackets themselves (titles of tests, keys), so the query is taken off from its end. */
function matchesPath(place: Place, query: string): boolean {
  const { symbol, ordinal, owner } = place
  return [symbol.name, `${symbol.name}${ordinal || '[0]'}`].some(name => {
    if (!query.endsWith(name)) return false
    const rest = query.slice(0, query.length - name.length)
    if (rest === '') return true
    if (rest === '/') return owner === undefined
    return rest.endsWith('/') && owner !== undefined && matchesPath(owner, rest.slice(0, -1))
  })
}

function namePath({ symbol, ordinal, owner }: Place): string {
  const name = `${symbol.name}${ordinal}`
  return owner === undefined ? name : `${namePath(owner)}/${name}`
}
