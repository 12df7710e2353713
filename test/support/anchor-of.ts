import type { AnchorScheme } from '#src/core/anchor-scheme.js'
import { anchorAt, anchorRules } from '#src/formats/text/anchors.js'
import { openText } from '#src/formats/text/text-file.js'

/** The anchor that a read shows for a line. */
export function anchorOf(bytes: Uint8Array, line: number, scheme: AnchorScheme): string {
  const file = openText(bytes)
  if (file === undefined) throw new Error('no text')
  return anchorAt(file, line, anchorRules[scheme])
}
