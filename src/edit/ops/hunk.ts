/** One line of a hunk, without its prefix and without its break. */
export interface HunkLine {
  readonly kind: 'context' | 'removed' | 'added'
  readonly text: string
  /** The line stands with CRLF in the patch. */
  readonly hasCarriageReturn?: true
}

/** Where a side of a hunk says that its last line just stops; undefined where the side has no line. */
export interface OpenEnds {
  readonly old: boolean | undefined
  readonly new: boolean | undefined
}

/** A stretch of a file and what becomes of it, as a patch says it. */
export interface Hunk {
  /** Counts from 1 in its file. */
  readonly number: number
  /** The line of the patch that it begins at. */
  readonly patchLine: number
  readonly lines: readonly HunkLine[]
  /** Lines that must be passed on the way to it, outermost first. */
  readonly headers: readonly string[]
  /** Empty lines at its end that may be context or only the spacing of the patch. */
  readonly looseLines: number
  /** It must end where the file ends. */
  readonly isAtEnd: boolean
  /** The line that it says it begins at; without old lines, the line it comes after. */
  readonly start?: number
  readonly openEnds?: OpenEnds
}

/** A hunk that was found: the lines that count, and the line of the text, from 0, where they begin. */
export interface PlacedHunk<Level> {
  readonly hunk: Hunk
  readonly lines: readonly HunkLine[]
  readonly at: number
  readonly level: Level
}

/** The lines that must stand in the file. */
export function oldLines(lines: readonly HunkLine[]): readonly string[] {
  return lines.filter(({ kind }) => kind !== 'added').map(({ text }) => text)
}

/** The lines that stand there afterwards. */
export function newLines(lines: readonly HunkLine[]): readonly string[] {
  return lines.filter(({ kind }) => kind !== 'removed').map(({ text }) => text)
}

/** The lines that are put in. */
export function addedLines(lines: readonly HunkLine[]): readonly string[] {
  return lines.filter(({ kind }) => kind === 'added').map(({ text }) => text)
}

/** How many old lines stand before the end of the last change; all of them where nothing changes. */
export function linesToLastChange(lines: readonly HunkLine[]): number {
  const last = lines.findLastIndex(({ kind }) => kind !== 'context')
  return oldLines(last < 0 ? lines : lines.slice(0, last + 1)).length
}
