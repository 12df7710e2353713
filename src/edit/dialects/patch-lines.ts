import { Refusal } from '../../core/errors.js'
import { parseRepoPath, type RepoPath } from '../../core/repo-path.js'
import { unparsable } from './dialect.js'

/** One line of a patch, without its break. */
export interface PatchLine {
  /** Counts from 1. */
  readonly number: number
  readonly text: string
}

/** The lines of a patch as they stand, a CR before the break included. */
export function patchLines(patch: string): readonly PatchLine[] {
  const lines = patch.split('\n').map((text, index) => ({ number: index + 1, text }))
  return lines.at(-1)?.text === '' ? lines.slice(0, -1) : lines
}

/** The path that a line of a patch names; the refusal says which line that is. */
export function pathAt(line: PatchLine, path: string): RepoPath {
  return atLine(line.number, () => parseRepoPath(path))
}

/** Does what may be refused, and adds to a refusal the line of the patch. */
export function atLine<T>(line: number, attempt: () => T): T {
  try {
    return attempt()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new Refusal(error.code, { patch_line: line, ...error.data }, error.status)
  }
}

/** What a part of a patch does to a path. */
export interface PathUse {
  readonly path: RepoPath
  readonly line: number
  /** It changes the text of a file that stays where it is. */
  readonly isPlain: boolean
}

/** Refuses a path that two parts of a patch deal with, unless both only change its text: those follow on each other. */
export function requireDistinct(uses: readonly PathUse[]): void {
  const seen = new Map<RepoPath, PathUse>()
  for (const use of uses) {
    const before = seen.get(use.path)
    if (before !== undefined && !(before.isPlain && use.isPlain)) {
      throw unparsable(use.line, `names a file that line ${before.line} deals with already`)
    }
    seen.set(use.path, use)
  }
}
