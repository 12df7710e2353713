import { Refusal } from '../core/errors.js'
import { findPastedAnchor } from '../formats/text/pasted-anchors.js'
import type { Failure } from './failures.js'
import type { Op } from './ops/registry.js'

/** Fields that are not text for a file. */
const otherFields = ['op', 'path', 'to', 'expected_rev', 'anchor', 'end_anchor', 'content_base64']

/** The ops whose text was copied out of a hashline view with its anchors, unless they say that it is meant so. */
export function pastedAnchors(ops: readonly Op[]): readonly Failure[] {
  return ops.flatMap((op, index) => {
    if (op.literal === true) return []
    for (const [field, text] of Object.entries(op)) {
      if (typeof text !== 'string' || otherFields.includes(field)) continue
      const line = findPastedAnchor(text)
      if (line === undefined) continue
      const refusal = new Refusal('UNSUPPORTED_OP', { field, line, reason })
      return [{ index, op: op.op, path: op.path, refusal, said: op.said }]
    }
    return []
  })
}

const reason =
  'the text begins its lines with anchors of a hashline view; send the lines alone, without anchor and arrow, or say literal where the file is to hold them'
