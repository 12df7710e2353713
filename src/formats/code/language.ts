import type { ParserName, SymbolFlag, SymbolKind, SyntaxErrors } from '../../core/outline.js'
import type { Source } from '../../core/parsers.js'
import type { Grammars } from './tree-sitter.js'

/** A symbol as a reader finds it: offsets into the text, half-open. */
export interface Declaration {
  readonly name: string
  readonly kind: SymbolKind
  readonly flags: readonly SymbolFlag[]
  readonly from: number
  readonly to: number
  readonly nameAt: number
  readonly children: readonly Declaration[]
}

/** What a reader made of a text. */
export interface Reading {
  readonly parser: ParserName
  readonly declarations: readonly Declaration[]
  readonly errors?: SyntaxErrors
}

/** How comments and strings are written, as far as counting delimiters and finding comments needs it. */
export type Lexis = 'slashes' | 'hash' | 'dashes' | 'markup'

/** A line that declares something; the group `name` holds its name. */
export interface LinePattern {
  readonly kind: SymbolKind
  readonly pattern: RegExp
}

/** One language: how its files are known and read. */
export interface Language {
  readonly name: string
  /** Endings of file names, or whole names. */
  readonly files: readonly string[]
  readonly lexis: Lexis
  /** The best reading there is. Absent where only `patterns` know the language. */
  readonly read?: (source: Source, grammars: Grammars) => Reading | Promise<Reading>
  /** The reading of last resort. */
  readonly patterns: readonly LinePattern[]
}
