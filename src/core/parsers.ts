/** A text to be read, all of whose breaks are LF. */
export interface Source {
  /** Only its name counts: it tells the language. */
  readonly path: string
  readonly text: string
}

/** One outline as one line of text, in the form in which it is sent between threads and kept on disk. */
export type PackedOutline = string & { readonly packed: unique symbol }

/** How a question may be answered. */
export interface ParsingWays {
  /** After all other questions, whenever they come. */
  readonly isBackground: boolean
}

/** What pure rooms ask of heavy work. */
export interface Parsers {
  /** The outlines of the sources, in their order. A text that is too much for every reader has an empty one. */
  outline(sources: readonly Source[], ways?: ParsingWays): Promise<readonly PackedOutline[]>
}
