import type { Exchange } from './line-exchange.js'
import type { Ending } from './line-index.js'

/** The endings of the lines around an exchange. */
export interface OldEndings {
  /** Of the old lines, in order; one more than they have breaks where the last of them goes on. */
  readonly own: readonly Ending[]
  /** Of the line before, or else of the first old one, or of the one after. */
  readonly near: Ending
}

/**
 * The ending of each break of a text that stands in the place of another. Lines that both begin or
 * end with keep their own; between them a new line ends like the one it replaces, a further one like
 * the last of those, and one that replaces none like the line before it.
 */
export function fitEndings(exchange: Exchange, { own, near }: OldEndings): (at: number) => Ending {
  const old = exchange.find.split('\n')
  const young = exchange.text.split('\n')
  const head = commonHead(old, young)
  const tail = commonTail(old, young, head)
  const youngEnd = young.length - 1 - tail
  // The last line counts as replaced only where it is another.
  const oldEnd = old.at(-1) === young.at(-1) ? old.length - 1 - tail : own.length
  const last = oldEnd > 0 ? own[oldEnd - 1] : undefined
  return at => {
    if (at >= youngEnd) return own[at - youngEnd + oldEnd] ?? last ?? near
    return (at < oldEnd ? own[at] : last) ?? near
  }
}

/** Lines that both begin with; the last of either is none, for nothing says how it ends. */
function commonHead(old: readonly string[], young: readonly string[]): number {
  const shorter = Math.min(old.length, young.length) - 1
  let head = 0
  while (head < shorter && old[head] === young[head]) head += 1
  return head
}

/** Lines that both end with, before what stands behind their last breaks. */
function commonTail(old: readonly string[], young: readonly string[], head: number): number {
  if (old.at(-1) !== young.at(-1)) return 0
  const rest = Math.min(old.length, young.length) - 1 - head
  let tail = 0
  while (tail < rest && old.at(-2 - tail) === young.at(-2 - tail)) tail += 1
  return tail
}
