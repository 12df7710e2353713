import type { ParserName, SymbolFlag, SymbolKind, SyntaxErrors } from '../../core/outline.js'

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
