/** Two lists of lines, by what one of the first is worth beside one of the second; 0 where they do not go together. */
export interface LinePairing {
  readonly before: number
  readonly after: number
  isEqual(before: number, after: number): boolean
  /** An equal line is worth more than any other. */
  worth(before: number, after: number): number
  /** False where so many comparisons are too many; then only what both begin and end with is paired. */
  affords(comparisons: number): boolean
}

/** For each line of the first list, the one of the second that it goes with; in order, worth most together. */
export function alignLines(pairing: LinePairing): readonly (number | undefined)[] {
  const { before, after, isEqual } = pairing
  const shorter = Math.min(before, after)
  let head = 0
  while (head < shorter && isEqual(head, head)) head += 1
  let tail = 0
  while (tail < shorter - head && isEqual(before - 1 - tail, after - 1 - tail)) tail += 1
  const middle = alignMiddle({ ...pairing, before: before - tail, after: after - tail }, head)
  return Array.from({ length: before }, (_, line) => {
    if (line < head) return line
    return line < before - tail ? middle[line - head] : line + after - before
  })
}

function alignMiddle(pairing: LinePairing, head: number): readonly (number | undefined)[] {
  const { before, after, worth, affords } = pairing
  if (!affords((before - head) * (after - head))) return []
  const width = after - head + 1
  const best = new Float64Array((before - head + 1) * width)
  const at = (line: number, other: number): number => (line - head) * width + other - head
  const value = (line: number, other: number): number => best[at(line, other)] ?? 0
  const paired = (line: number, other: number): number => {
    const own = worth(line, other)
    return own === 0 ? 0 : own + value(line + 1, other + 1)
  }
  for (let line = before - 1; line >= head; line -= 1) {
    for (let other = after - 1; other >= head; other -= 1) {
      const apart = Math.max(value(line + 1, other), value(line, other + 1))
      best[at(line, other)] = Math.max(apart, paired(line, other))
    }
  }
  const isPaired = (line: number, other: number): boolean =>
    other < after && worth(line, other) > 0 && value(line, other) === paired(line, other)
  const pairs: (number | undefined)[] = []
  let other = head
  for (let line = head; line < before; line += 1) {
    const isIdle = (): boolean => other < after && value(line, other) === value(line, other + 1)
    while (!isPaired(line, other) && isIdle()) other += 1
    pairs.push(isPaired(line, other) ? other : undefined)
    if (pairs.at(-1) !== undefined) other += 1
  }
  return pairs
}

/** Lines of one list that give way to lines of the other; from 0, half-open on both sides. */
export interface LineHunk {
  readonly oldStart: number
  readonly oldEnd: number
  readonly newStart: number
  readonly newEnd: number
}

/** What lies between the lines that go together. */
export function hunksBetween(
  pairs: readonly (number | undefined)[],
  after: number,
): readonly LineHunk[] {
  const hunks: LineHunk[] = []
  let old = 0
  let young = 0
  const close = (oldEnd: number, newEnd: number): void => {
    if (oldEnd > old || newEnd > young) {
      hunks.push({ oldStart: old, oldEnd, newStart: young, newEnd })
    }
    old = oldEnd + 1
    young = newEnd + 1
  }
  for (const [line, other] of pairs.entries()) {
    if (other !== undefined) close(line, other)
  }
  close(pairs.length, after)
  return hunks
}
