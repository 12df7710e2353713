import { Refusal } from '../../core/errors.js'
import type { RepoPath } from '../../core/repo-path.js'
import { findSuspicion } from '../../formats/text/suspect-text.js'
import type { FieldText } from './checks.js'
import type { TextContext } from './text-op.js'

/** What an op says of its new text. */
export interface GuardedText extends FieldText {
  /** The text is meant as it stands. */
  readonly literal?: boolean
  /** The line of the file as it was read at which it is put in. */
  readonly at?: number
  /** The part of a patch that it is of. */
  readonly within?: Readonly<Record<string, unknown>>
}

/** Refuses new text of a file that looks like a slip, unless the op says that it is none. */
export function guardText(context: TextContext, guarded: Omit<GuardedText, 'literal'>): void {
  const { path, literal, text } = context
  guardContent(path, text.file.text, {
    ...guarded,
    literal,
    text: text.file.normalise(guarded.text),
  })
}

/** The same for a whole new content; `file` is the old one. */
export function guardContent(
  path: RepoPath,
  file: string,
  { field, text, literal, at, within }: GuardedText,
): void {
  if (literal === true) return
  const suspicion = findSuspicion({ path, text, file, ...(at !== undefined && { at }) })
  if (suspicion !== undefined) {
    throw new Refusal('SUSPECT_TEXT', { field, ...within, ...suspicion })
  }
}
