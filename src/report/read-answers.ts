import type { ReadAnswer } from './read-view.js'

/** A file that is still the revision that is held. */
export interface NotModified {
  readonly path: string
  readonly rev: string
  readonly not_modified: true
}

/** A file that could not be read among others that could. */
export interface RefusedFile {
  /** As it was asked for. */
  readonly path: string
  /** The refusal as it would be answered for this file alone. */
  readonly refused: Readonly<Record<string, unknown>>
}

export type FileAnswer = ReadAnswer | NotModified | RefusedFile

/** Several files of one read, in the order that was asked for. */
export interface ManyFilesAnswer {
  readonly files: readonly FileAnswer[]
  /** True where a file goes on, or files were left out. */
  readonly truncated: boolean
  /** What to ask for again: the budget was spent before it. */
  readonly left_out?: readonly string[]
}
