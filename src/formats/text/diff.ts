import { diffArrays } from 'diff'

/** Lines that gave way to others; lines from 0, half-open on both sides. */
export interface LineReplacement {
  readonly oldStart: number
  readonly oldEnd: number
  readonly newStart: number
  readonly newEnd: number
}

/** Where either is passed, the middle that differs is told as one replacement. */
const maxEditLength = 300
const timeoutMs = 50

/**
 * The difference of two lists of lines that are not stored in git yet. What they begin and end
 * with in common is set aside first; above `maxLines` lines, or where it takes too long, the rest
 * is one replacement.
 */
export function diffLines(
  before: readonly string[],
  after: readonly string[],
  maxLines: number,
): readonly LineReplacement[] {
  const shorter = Math.min(before.length, after.length)
  const head = sharedLines(before, after, shorter)
  const tail = sharedTail(before, after, shorter - head)
  const old = before.slice(head, before.length - tail)
  const young = after.slice(head, after.length - tail)
  if (old.length === 0 && young.length === 0) return []
  const whole = { oldStart: 0, oldEnd: old.length, newStart: 0, newEnd: young.length }
  const found = old.length + young.length > maxLines ? undefined : compare(old, young)
  return (found ?? [whole]).map(stretch => shift(stretch, head))
}

function compare(
  before: readonly string[],
  after: readonly string[],
): readonly LineReplacement[] | undefined {
  const parts = diffArrays([...before], [...after], { maxEditLength, timeout: timeoutMs })
  if (parts === undefined) return undefined
  const replacements: LineReplacement[] = []
  const at = { old: 0, new: 0 }
  let open: { readonly oldStart: number; readonly newStart: number } | undefined
  for (const { count, added, removed } of [...parts, { count: 0, added: false, removed: false }]) {
    if (added || removed) {
      open ??= { oldStart: at.old, newStart: at.new }
    } else if (open !== undefined) {
      replacements.push({ ...open, oldEnd: at.old, newEnd: at.new })
      open = undefined
    }
    if (!added) at.old += count
    if (!removed) at.new += count
  }
  return replacements
}

function sharedLines(before: readonly string[], after: readonly string[], limit: number): number {
  let count = 0
  while (count < limit && before[count] === after[count]) count += 1
  return count
}

function sharedTail(before: readonly string[], after: readonly string[], limit: number): number {
  let count = 0
  while (count < limit && before.at(-1 - count) === after.at(-1 - count)) count += 1
  return count
}

function shift(stretch: LineReplacement, by: number): LineReplacement {
  return {
    oldStart: stretch.oldStart + by,
    oldEnd: stretch.oldEnd + by,
    newStart: stretch.newStart + by,
    newEnd: stretch.newEnd + by,
  }
}
