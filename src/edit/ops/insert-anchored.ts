import { z } from 'zod'
import type { AnchorScheme } from '../../core/anchor-scheme.js'
import type { TextFile } from '../../formats/text/text-file.js'
import { anchoredLine, anchorField, anchorsField, requireAnchor } from './anchored-lines.js'
import { checkText } from './checks.js'
import { linesTextField } from './fields.js'
import { guardText } from './guard-text.js'
import { defineTextOp } from './text-op.js'
import { insertLines } from './whole-lines.js'

/** What stands for the start and the end of a file instead of a line. */
export const startAnchor = '0:'
export const endAnchor = 'EOF'

/** Inserts lines before or after an anchored line, at the start or at the end of a file. No text at all is one empty line. */
export const insertAnchored = defineTextOp({
  name: 'insert_anchored',
  summary: 'Insert lines before or after an anchored line.',
  fields: {
    anchor: anchorField,
    anchors: anchorsField,
    side: z.enum(['before', 'after']).describe('Where, seen from the anchored line.'),
    text: linesTextField,
  },
  check: (op, limits) => {
    const isBorder = op.anchor === startAnchor || op.anchor === endAnchor
    if (!isBorder) requireAnchor('anchor', op.anchor, op.anchors)
    checkText({ field: 'content', text: op.text }, limits.replaceChars)
  },
  edit: (op, context) => {
    const before = Math.min(lineBefore(op, context.text.file), context.text.file.lines.count + 1)
    guardText(context, { field: 'content', text: op.text, at: before })
    return { text: insertLines(context, before, op.text === '' ? '\n' : op.text) }
  },
})

interface Insertion {
  readonly anchor: string
  readonly anchors: AnchorScheme
  readonly side: 'before' | 'after'
}

/** The line that the new ones come to stand before; past the last one they come to the end. */
function lineBefore({ anchor, anchors, side }: Insertion, file: TextFile): number {
  if (anchor === startAnchor) return 1
  if (anchor === endAnchor) return Number.POSITIVE_INFINITY
  return anchoredLine(file, 'anchor', anchor, anchors) + (side === 'after' ? 1 : 0)
}
