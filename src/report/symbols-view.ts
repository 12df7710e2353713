import { fixedLimits } from '../core/limits.js'
import { shortOid } from '../core/oid.js'
import type {
  CodeSymbol,
  Outline,
  OutlineNote,
  ParserName,
  SymbolFlag,
  SymbolKind,
} from '../core/outline.js'
import { type FoundSymbol, listSymbols } from '../formats/code/find-symbols.js'
import { visibleText } from './visible-text.js'

/** A file with what it declares. */
export interface OutlinedFile {
  readonly path: string
  readonly rev: string
  readonly outline: Outline
}

/** One symbol of an outline, as it is answered. */
export interface ToldSymbol {
  readonly name: string
  readonly kind: SymbolKind
  /** The whole statement, from 1 and both included. */
  readonly start_line: number
  readonly end_line: number
  readonly flags?: readonly SymbolFlag[]
  readonly children?: readonly ToldSymbol[]
}

/** What one file declares. */
export interface OutlineAnswer {
  readonly path: string
  readonly rev: string
  readonly language: string
  readonly parser: ParserName
  /** Why the outline is less than it could be. */
  readonly note?: OutlineNote
  readonly symbols: readonly ToldSymbol[]
  readonly truncated: boolean
  /** How to get what was left out. */
  readonly go_on?: string
}

/** A symbol whose name fits a query. */
export interface SymbolMatch {
  readonly path: string
  readonly rev: string
  readonly name_path: string
  readonly kind: SymbolKind
  readonly start_line: number
  readonly end_line: number
}

/** The symbols whose names fit a query, those that fit best first. */
export interface SymbolMatches {
  readonly query: string
  readonly matches: readonly SymbolMatch[]
  /** How many fit in the files that were looked into. */
  readonly total: number
  readonly truncated: boolean
  readonly go_on?: string
}

/** What is shown of symbols. */
export interface SymbolsShown {
  /** Only these, where names were found by a pattern. */
  readonly fitting?: ReadonlySet<CodeSymbol>
  /** All kinds where absent. */
  readonly kinds?: readonly SymbolKind[]
  /** Levels below the top ones. */
  readonly depth?: number
}

const defaultDepth = 1

/** What one file declares, to a depth and within the budget. */
export function renderOutline(
  { path, rev, outline }: OutlinedFile,
  { kinds, depth = defaultDepth }: SymbolsShown,
): OutlineAnswer {
  const { language, parser, note } = outline
  const budget = { left: fixedLimits.listedSymbols, truncated: false }
  const symbols = showSymbols(outline.symbols, { kinds, depth, budget })
  return {
    path,
    rev,
    language,
    parser,
    ...(note !== undefined && { note }),
    symbols,
    truncated: budget.truncated,
    ...(budget.truncated && {
      go_on: 'ask for depth 0, for some kinds only, or for names by query with this path',
    }),
  }
}

/** The symbols that stand below the lines that are shown: as deep as usual where they are few, else the top ones. */
export function outlineHint(
  outline: Outline | undefined,
  shownLines: number,
): readonly ToldSymbol[] {
  const below = (outline?.symbols ?? []).filter(({ end_line }) => end_line > shownLines)
  const most = fixedLimits.hintSymbols
  for (const depth of [defaultDepth, 0]) {
    const budget = { left: most, truncated: false }
    const symbols = showSymbols(below, { kinds: undefined, depth, budget })
    if (!budget.truncated || depth === 0) return symbols
  }
  return []
}

/** An outline as text, one symbol a line. */
export function outlineText(symbols: readonly ToldSymbol[]): string {
  return symbols.flatMap(symbol => symbolLines(symbol, '')).join('\n')
}

interface Showing {
  readonly kinds: readonly SymbolKind[] | undefined
  readonly depth: number
  readonly budget: { left: number; truncated: boolean }
}

/** What is left out for its kind still shows where it holds something that is asked for. */
function showSymbols(symbols: readonly CodeSymbol[], showing: Showing): readonly ToldSymbol[] {
  const { kinds, depth, budget } = showing
  const shown: ToldSymbol[] = []
  for (const symbol of symbols) {
    if (budget.left === 0) {
      budget.truncated = true
      break
    }
    budget.left -= 1
    const inside = { ...showing, depth: depth - 1 }
    const children = depth > 0 ? showSymbols(symbol.children, inside) : []
    const isAsked = kinds?.includes(symbol.kind) ?? true
    if (isAsked || children.length > 0) shown.push(toldSymbol(symbol, children))
    else budget.left += 1
  }
  return shown
}

function toldSymbol(symbol: CodeSymbol, children: readonly ToldSymbol[]): ToldSymbol {
  const { name, kind, start_line, end_line, flags } = symbol
  return {
    name,
    kind,
    start_line,
    end_line,
    ...(flags.length > 0 && { flags }),
    ...(children.length > 0 && { children }),
  }
}

/** The symbols of files whose names fit a query; `left` files were not looked into. */
export function renderMatches(
  query: string,
  { files, left }: { readonly files: readonly OutlinedFile[]; readonly left: number },
  shown: SymbolsShown,
): SymbolMatches {
  const sorted = rankMatches(query, files, shown)
  const matches = sorted.slice(0, fixedLimits.listedSymbols)
  const truncated = left > 0 || matches.length < sorted.length
  return {
    query,
    matches,
    total: sorted.length,
    truncated,
    ...(truncated && { go_on: goOn(left) }),
  }
}

/** Every symbol whose name fits a query: the same name first, then by the place. */
export function rankMatches(
  query: string,
  files: readonly OutlinedFile[],
  { kinds, fitting }: SymbolsShown,
): readonly SymbolMatch[] {
  const names = query.toLowerCase().split('/')
  const found = files.flatMap(({ path, rev, outline }) =>
    listSymbols(outline.symbols)
      .filter(({ symbol }) => kinds?.includes(symbol.kind) ?? true)
      .filter(one => fitting?.has(one.symbol) ?? fitsNames(one, names, query))
      .map(one => ({ rank: fitting ? 0 : rankOf(one, query), match: matchOf(path, rev, one) })),
  )
  const sorted = found.toSorted((a, b) => a.rank - b.rank || byPlace(a.match, b.match))
  return sorted.map(({ match }) => match)
}

function goOn(left: number): string {
  const unread = left > 0 ? `${left} files that hold the name were not looked into; ` : ''
  return `${unread}name a path or glob, some kinds, or more of the name`
}

function matchOf(path: string, rev: string, { name_path, symbol }: FoundSymbol): SymbolMatch {
  const { kind, start_line, end_line } = symbol
  return { path, rev, name_path, kind, start_line, end_line }
}

/** The last name of the query is part of the symbol's, those before it of the names of its owners; names may hold slashes. */
function fitsNames(
  { name_path, symbol }: FoundSymbol,
  names: readonly string[],
  query: string,
): boolean {
  if (symbol.name.toLowerCase().includes(query.toLowerCase())) return true
  const own = name_path.toLowerCase().split('/').slice(-names.length)
  return (
    names.length > 1 && own.length === names.length && names.every((n, at) => own[at]?.includes(n))
  )
}

/** The same name, the same but for case, the beginning of the name, any part of it. */
function rankOf({ name_path, symbol }: FoundSymbol, query: string): number {
  const [name, wanted] = [symbol.name.toLowerCase(), query.toLowerCase()]
  if (symbol.name === query || name_path.endsWith(`/${query}`) || name_path === query) return 0
  if (name === wanted) return 1
  return name.startsWith(wanted) ? 2 : 3
}

function byPlace(a: SymbolMatch, b: SymbolMatch): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1
  return a.start_line - b.start_line
}

/** An outline or matches as compact text, one symbol a line: `12-20 kind name`. */
export function renderSymbolsText(answer: OutlineAnswer | SymbolMatches): string {
  const lines = 'matches' in answer ? matchLines(answer) : outlineLines(answer)
  return visibleText(
    [...lines, ...(answer.go_on ? [`(cut here: ${answer.go_on})`] : [])].join('\n'),
  )
}

function outlineLines({ path, rev, language, parser, note, symbols }: OutlineAnswer) {
  const how = [language, `by ${parser}`, ...(note === undefined ? [] : [note])].join(', ')
  return [`${path} ${shortOid(rev)} ${how}`, ...symbols.flatMap(symbol => symbolLines(symbol, ''))]
}

function symbolLines(symbol: ToldSymbol, indent: string): readonly string[] {
  const { kind, name, children = [] } = symbol
  const line = `${indent}${rangeText(symbol)} ${kind} ${oneLine(name)}`
  return [line, ...children.flatMap(child => symbolLines(child, `${indent}  `))]
}

function matchLines({ matches }: SymbolMatches): readonly string[] {
  let last = ''
  return matches.flatMap(match => {
    const line = `${rangeText(match)} ${match.kind} ${oneLine(match.name_path)}`
    const head = match.path === last ? [] : [`${match.path} ${shortOid(match.rev)}`]
    last = match.path
    return [...head, line]
  })
}

function rangeText({
  start_line: start,
  end_line: end,
}: Pick<ToldSymbol, 'start_line' | 'end_line'>): string {
  return start === end ? `${start}` : `${start}-${end}`
}

/** Titles of tests and keys may hold breaks. */
function oneLine(name: string): string {
  return name.replace(/\s+/g, ' ')
}
