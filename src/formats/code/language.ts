import type { SymbolKind } from '../../core/outline.js'
import type { Source } from '../../core/parsers.js'
import type { FailedScript, ParsedScript, Script } from './babel.js'
import type { Reading } from './declaration.js'
import type { Grammars } from './tree-sitter.js'

/** How comments and strings are written, as far as counting delimiters and finding comments needs it. */
export type Lexis = 'slashes' | 'hash' | 'dashes' | 'markup'

/** A line that declares something; the group `name` holds its name. */
export interface LinePattern {
  readonly kind: SymbolKind
  readonly pattern: RegExp
}

/**
 * The parsers that readers work with. They are handed in, so that whoever only asks what language a
 * file has loads none of them: they would take most of the start of a command.
 */
export interface Engines extends Grammars {
  parseScript(script: Script): ParsedScript | FailedScript
}

/** One language: how its files are known and read. */
export interface Language {
  readonly name: string
  /** Endings of file names, or whole names. */
  readonly files: readonly string[]
  readonly lexis: Lexis
  /** The best reading there is. Absent where only `patterns` know the language. */
  readonly read?: (source: Source, engines: Engines) => Reading | Promise<Reading>
  /** The reading of last resort. */
  readonly patterns: readonly LinePattern[]
}
