import { Refusal } from '../../core/errors.js'
import type { CodeSymbol } from '../../core/outline.js'
import { anywherePattern } from '../../formats/code/anywhere-pattern.js'
import { listSymbols } from '../../formats/code/find-symbols.js'
import type { LinePattern } from '../../io/git/count-matches.js'
import { matchLines } from '../../io/git/ripgrep.js'
import type { Checkout } from '../checkout/checkout.js'
import { countLines } from './count-lines.js'
import { outlineFitting, type SearchedFiles, type SymbolQuery } from './search-symbols.js'
import type { SearchWays } from './search-worktree.js'

/** Files that were looked into for names, and the symbols of them that fit. */
export interface SearchedNames extends SearchedFiles {
  readonly fitting: ReadonlySet<CodeSymbol>
}

/**
 * The symbols whose names or name paths fit a pattern, which is never given to an engine that could take long.
 * `INVALID_ARGUMENTS` for a bad one; `UNSUPPORTED_OP` where ripgrep is not installed.
 */
export async function searchNamePattern(
  checkout: Checkout,
  { query, path = '' }: SymbolQuery,
  { limits, ripgrep }: Pick<SearchWays, 'limits' | 'ripgrep'>,
): Promise<SearchedNames> {
  if (ripgrep === undefined) {
    const reason = 'patterns of names need ripgrep, an optional package that is not installed'
    throw new Refusal('UNSUPPORTED_OP', { reason, use: ['query without regex'] })
  }
  const pattern: LinePattern = { text: query, syntax: 'regex', ignoreCase: false }
  // Refused here in the words of the pattern that was sent, not of the one that is made of it.
  await matchLines(ripgrep, checkout.place, pattern, new Uint8Array())
  const anywhere = { ...pattern, text: anywherePattern(lastName(query)) }
  const { matched } = await countLines(checkout, anywhere, { path: '', ripgrep })
  const searched = await outlineFitting(checkout, [...matched.keys()], { path, limits })
  const names = searched.files.flatMap(({ outline }) => listSymbols(outline.symbols))
  const lines = names.flatMap(({ name_path, symbol }) => [name_path, symbol.name].map(oneLine))
  const text = Buffer.from(lines.map(line => `${line}\n`).join(''))
  const matches = await matchLines(ripgrep, checkout.place, pattern, text)
  const fitting = matches.flatMap(({ line }) => names[(line - 1) >> 1]?.symbol ?? [])
  return { ...searched, fitting: new Set(fitting) }
}

/** What a file that holds the symbol must hold: no file holds a name path, only the names. */
function lastName(pattern: string): string {
  if (!pattern.includes('/')) return pattern
  // The parts of a choice may have slashes of their own.
  return /[|([]/.test(pattern) ? '.' : pattern.replace(/.*\//s, '')
}

function oneLine(name: string): string {
  return name.replace(/\s+/g, ' ')
}
