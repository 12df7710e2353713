import { Refusal } from '../../core/errors.js'
import type { Op } from '../ops/registry.js'

/** The op of a line of a text. Whatever is refused about it names that line. */
export function opAtLine(line: number, makeOp: () => Op): Op {
  const said = { patch_line: line }
  try {
    return { ...makeOp(), said }
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal
    throw new Refusal(refusal.code, { ...said, ...refusal.data }, refusal.status)
  }
}
