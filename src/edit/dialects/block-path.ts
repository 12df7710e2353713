import { unquotePath } from '../../core/quote-path.js'
import type { MessageLine } from '../../formats/text/message-lines.js'
import { unparsable } from './dialect.js'

const fence = /^\s*(?:`{3,}(?!`)|~{3,}(?!~))[^`]*$/

/** Fence lines that may stand between a path and its block: one that closes and one that opens. */
const skippedFences = 2

/**
 * The path above a block: the line right above it, or above up to two lines of code fences. It may
 * be decorated as models do: a heading, bold, in backticks or quotes, with a colon behind it. Nothing
 * stands there where that line is blank or dots; any other prose is refused, not taken for a path.
 */
export function pathAbove(lines: readonly MessageLine[], at: number): string | undefined {
  let above = at - 1
  while (at - above <= skippedFences && isFence(lines, above)) above -= 1
  // Behind a fence that closes, only a path in a fence of its own is one; else it is code.
  if (at - above > skippedFences && !isFence(lines, above - 1)) return undefined
  const { line, text } = lines[above] ?? { line: 0, text: '' }
  const said = text.trim()
  const isNone = /^(?:|\.\.\.|…|>{7,} REPLACE|\+{7,} REPLACE)$|^(?:```|~~~)/.test(said)
  if (isNone) return undefined
  const path = undecorated(said)
  if (path === undefined) {
    throw unparsable(line, 'is no path; put it in quotes where it holds spaces')
  }
  return path
}

function isFence(lines: readonly MessageLine[], at: number): boolean {
  return fence.test(lines[at]?.text ?? '')
}

function undecorated(said: string): string | undefined {
  const plain = said
    .replace(/^#+\s+/, '')
    .replace(/^\*\*(.*)\*\*(:?)$/, '$1$2')
    .trim()
  const quoted = /^(`+)([^`]+)\1:?$|^("[^"].*"):?$/.exec(plain)
  if (quoted !== null) return quoted[2]?.trim() ?? unquotePath(quoted[3] ?? '')
  if (/[\s"`*]/.test(plain)) return undefined
  const bare = plain.replace(/:$/, '')
  // A single word before a colon introduces something; a path shows by its dot or slash.
  const isWord = bare !== plain && !/[./]/.test(bare)
  return isWord || bare === '' ? undefined : bare
}
