/** Every kind that a symbol may have; those of the last line are parts of documents and data. */
export const symbolKinds = [
  ...(['function', 'arrow', 'method', 'getter', 'setter', 'constructor', 'class'] as const),
  ...(['interface', 'type', 'enum', 'namespace', 'property', 'const', 'var', 'object'] as const),
  ...(['component', 'hook', 'reexport', 'test'] as const),
  ...(['struct', 'trait', 'impl', 'module', 'macro', 'field', 'record', 'protocol'] as const),
  ...(['extension', 'mixin'] as const),
  ...(['heading', 'key', 'rule', 'element', 'table', 'view', 'target'] as const),
] as const

export type SymbolKind = (typeof symbolKinds)[number]

/** `shared` says that other code stands on the symbol's first or last line: it cannot be replaced by lines. */
export const symbolFlags = [
  ...(['exported', 'default', 'async', 'generator', 'static', 'abstract'] as const),
  ...(['overload', 'declare', 'shared'] as const),
] as const

export type SymbolFlag = (typeof symbolFlags)[number]

/** One declaration. Lines count from 1; the last is included. */
export interface CodeSymbol {
  readonly name: string
  readonly kind: SymbolKind
  readonly flags: readonly SymbolFlag[]
  /** The whole statement, with `export` and decorators. */
  readonly start_line: number
  readonly end_line: number
  readonly name_line: number
  /** Where the comment begins that stands directly above. */
  readonly doc_start_line?: number
  readonly children: readonly CodeSymbol[]
}

/** Which of our readers answered. */
export const parserNames = ['babel', 'tree-sitter', 'scanner', 'regex', 'none'] as const

export type ParserName = (typeof parserNames)[number]

/** Why an outline is less than it could be. */
export type OutlineNote =
  | 'syntax_errors'
  | 'too_complex'
  | 'too_large'
  | 'minified'
  | 'unknown_language'

/** What a reader could not make sense of. */
export interface SyntaxErrors {
  readonly count: number
  /** The lines of the first ones. */
  readonly lines: readonly number[]
  /** False where the text may be right all the same: macros, or only delimiters were counted. */
  readonly certain: boolean
  /** True where the best parser gave up on the file. */
  readonly fatal: boolean
}

/** What a file declares. A pure function of its path's ending and its text. */
export interface Outline {
  /** Empty where the language is unknown. */
  readonly language: string
  readonly parser: ParserName
  readonly note?: OutlineNote
  /** Absent where nothing checks the syntax of such files. */
  readonly errors?: SyntaxErrors
  readonly symbols: readonly CodeSymbol[]
}
