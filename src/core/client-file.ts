/** The configuration files of programs that use us: what they are, and what of ours stands in them. */
export type ClientFileFormat = 'jsonc' | 'toml'

/** A value that is to stand in a file. */
export interface ClientFileEntry {
  /** The names that lead to it. */
  readonly at: readonly string[]
  readonly value: Readonly<Record<string, unknown>>
  /** Where `at` names a list: the field by which its elements are told apart. */
  readonly elementBy?: string
}

/** Where a file lies. */
export interface ClientFilePlace {
  /** A directory of the user's; below it no link is followed. */
  readonly base: string
  /** Names from there to the file. */
  readonly names: readonly string[]
}

/** What became of a file. */
export type ClientFileOutcome = 'created' | 'added' | 'replaced' | 'unchanged'
