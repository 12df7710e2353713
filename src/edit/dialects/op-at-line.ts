import type { Op } from '../ops/registry.js'
import { atLine } from './patch-lines.js'

/** The op of a line of a text. Whatever is refused about it names that line. */
export function opAtLine(line: number, makeOp: () => Op): Op {
  return { ...atLine(line, makeOp), said: { patch_line: line } }
}
