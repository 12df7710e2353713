import type { CodeSymbol, SymbolKind } from '../../core/outline.js'

/** What says little of a file: parts of others, and what it only hands on. */
const hidden = new Set<SymbolKind>([
  ...(['property', 'field', 'reexport', 'test', 'heading', 'key', 'rule', 'element'] as const),
  ...(['constructor', 'getter', 'setter'] as const),
])

/** The names that say most of what a file is for, in the order of the file: exported before others, long before short, what is inside only where there is room. */
export function keySymbols(symbols: readonly CodeSymbol[], most: number): readonly string[] {
  const telling = symbols.filter(symbol => !hidden.has(symbol.kind) && !isOwnConstant(symbol))
  const top = telling.map(symbol => candidate(symbol, 0))
  const inner = telling
    .flatMap(({ children }) => children)
    .filter(({ kind }) => kind === 'method' || kind === 'function')
    .map(symbol => candidate(symbol, -1))
  const names = new Map<string, Candidate>()
  for (const one of [...top, ...inner]) {
    const known = names.get(one.name)
    if (known === undefined || known.weight < one.weight) names.set(one.name, one)
  }
  return [...names.values()]
    .sort((a, b) => b.weight - a.weight || a.line - b.line)
    .slice(0, most)
    .sort((a, b) => a.line - b.line)
    .map(({ name }) => name)
}

/** One line that only its own file needs. */
function isOwnConstant({ kind, flags, start_line, end_line }: CodeSymbol): boolean {
  const isConstant = kind === 'const' || kind === 'var'
  return isConstant && start_line === end_line && !flags.includes('exported')
}

interface Candidate {
  readonly name: string
  readonly weight: number
  readonly line: number
}

/** More than this many lines say no more. */
const longLines = 10_000

function candidate({ name, flags, start_line, end_line }: CodeSymbol, level: number): Candidate {
  const isExported = flags.includes('exported') || flags.includes('default')
  const length = Math.min(end_line - start_line, longLines) / longLines
  const shown = name.replace(/\s+/g, ' ').slice(0, 60)
  return { name: shown, weight: level + (isExported ? 1 : 0) + length, line: start_line }
}
