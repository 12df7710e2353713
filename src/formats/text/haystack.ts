/** A text to search, with LF for every break, and what its lines are called in answers. */
export interface Haystack {
  readonly text: string
  lineAt(offset: number): number
}

export interface Wanted {
  /** Not empty, with LF for every break. */
  readonly find: string
  /** How often it must stand there: once, as often as it does, or an exact number. */
  readonly count: 'one' | 'all' | number
  /** What is to stand there instead, to tell an edit that was already made. */
  readonly replacement?: string
}
