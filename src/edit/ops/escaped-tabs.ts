import { Refusal } from '../../core/errors.js'
import type { SoughtLines } from '../../formats/text/seek-lines.js'
import type { Hunk } from './hunk.js'

/** A backslash and a `t` where an indentation should be; one alone may begin a word, as `\textbf` does. */
const escapedIndent = /^\s*\\t(?:\\t|[^A-Za-z]|$)/

/** Refuses new lines that are indented by the escape of a tab instead of a tab, unless the file has such lines. */
export function requireEscapesMeant(sought: SoughtLines, hunks: readonly Hunk[]): void {
  for (const hunk of hunks) {
    const index = hunk.lines.findIndex(
      ({ kind, text }) => kind === 'added' && escapedIndent.test(text),
    )
    if (index < 0 || hasEscapedIndent(sought)) continue
    throw new Refusal('DIALECT_UNPARSABLE', {
      line: hunk.patchLine,
      hunk: hunk.number,
      problem: 'a new line begins with a backslash and a t; send the tab itself',
    })
  }
}

function hasEscapedIndent(sought: SoughtLines): boolean {
  for (let line = 0; line < sought.count; line += 1) {
    if (escapedIndent.test(sought.lineAt(line))) return true
  }
  return false
}
