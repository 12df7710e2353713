import type { AnchorScheme } from '../core/anchor-scheme.js'
import type { Blob } from '../core/blob.js'
import { fixedLimits } from '../core/limits.js'
import type { LineRange, ReceiptFile } from '../core/receipt.js'
import { anchoredText, anchorRules } from '../formats/text/anchors.js'
import { openText } from '../formats/text/text-file.js'
import { utf8Bytes } from './fit-patches.js'

type Anchored = Pick<ReceiptFile, 'anchored' | 'anchored_truncated'>

/** Tells the lines of files with their anchors, as the hashline view does, all of them within one budget. */
export function freshAnchors(scheme: AnchorScheme): {
  /** The lines of some ranges and those next to them; runs that do not touch are apart by a line of three dots. */
  anchorsOf(blob: Blob, ranges: readonly LineRange[]): Anchored
} {
  let left = fixedLimits.freshAnchorBytes
  return {
    anchorsOf: ({ bytes }, ranges) => {
      const file = openText(bytes)
      if (file === undefined) return {}
      const lines: string[] = []
      let last = 0
      for (const line of linesAround(ranges, file.lines.count)) {
        const gap = last > 0 && line > last + 1 ? ['...'] : []
        const told = [...gap, anchoredText(file, line, anchorRules[scheme]).toWellFormed()]
        left -= utf8Bytes(told.join('\n')) + 1
        if (left < 0) return { ...joined(lines), anchored_truncated: true }
        lines.push(...told)
        last = line
      }
      return joined(lines)
    },
  }
}

function joined(lines: readonly string[]): Anchored {
  return lines.length === 0 ? {} : { anchored: lines.join('\n') }
}

/** Each line once, in order; ranges are sorted and do not overlap. */
function* linesAround(ranges: readonly LineRange[], count: number): Iterable<number> {
  let next = 1
  for (const { start, end } of ranges) {
    for (next = Math.max(next, start - 1); next <= Math.min(count, end + 1); next += 1) yield next
  }
}
