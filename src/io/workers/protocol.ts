import type { Source } from '../../core/parsers.js'

/** How hard the thread tries: by lines only what was too much for a parser. */
export type Tier = 'parser' | 'lines'

/** Texts for the thread, read in their order. */
export interface Batch {
  readonly tier: Tier
  readonly sources: readonly Source[]
}

/** The next answers of the batch at hand, in its order. */
export type Answers = readonly string[]

/** Where the thread says how many sources of the batch it has begun, so that one that hangs is known. */
export type Progress = Int32Array<SharedArrayBuffer>
