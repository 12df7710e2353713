import { anchoredLine, anchorField, anchorsField, requireAnchor } from './anchored-lines.js'
import { checkText, invalid } from './checks.js'
import { linesTextField } from './fields.js'
import { guardText } from './guard-text.js'
import { defineTextOp } from './text-op.js'
import { replaceLines } from './whole-lines.js'

/** Replaces the lines from one anchor to another. An end behind the last line is the last line. */
export const replaceAnchored = defineTextOp({
  name: 'replace_anchored',
  summary: 'Replace the lines from one anchor to another.',
  fields: {
    anchor: anchorField,
    end_anchor: anchorField.exactOptional(),
    anchors: anchorsField,
    text: linesTextField,
  },
  check: (op, limits) => {
    const start = requireAnchor('anchor', op.anchor, op.anchors)
    const end = requireAnchor('end_anchor', op.end_anchor ?? op.anchor, op.anchors)
    if (end.line < start.line) throw invalid('end_anchor', 'is before anchor')
    checkText({ field: 'content', text: op.text }, limits.replaceChars)
  },
  edit: (op, context) => {
    const { file } = context.text
    const start = anchoredLine(file, 'anchor', op.anchor, op.anchors)
    const end =
      op.end_anchor === undefined
        ? start
        : Math.min(anchoredLine(file, 'end_anchor', op.end_anchor, op.anchors), file.lines.count)
    guardText(context, { field: 'content', text: op.text, at: start })
    return {
      text: replaceLines(context, { start_line: start, end_line: Math.max(start, end) }, op.text),
    }
  },
})
