import type { LineRange } from '../core/receipt.js'

/** The lines of the new file that a unified diff of one file wrote; an empty range where it only took lines away. */
export function patchRanges(patch: string): readonly LineRange[] {
  const ranges: LineRange[] = []
  let next = 1
  let start: number | undefined
  for (const line of hunkLines(patch)) {
    const mark = line.charAt(0)
    if (mark === '+' || mark === '-') start ??= next
    else if (mark !== '\\' && start !== undefined) {
      ranges.push({ start, end: next - 1 })
      start = undefined
    }
    if (mark === '@') next = hunkStart(line)
    else if (mark === '+' || mark === ' ') next += 1
  }
  return ranges
}

/** From the first hunk header on, and an empty line that ends the last hunk. */
function hunkLines(patch: string): readonly string[] {
  const start = /^@@ /m.exec(patch)?.index
  return start === undefined ? [] : patch.slice(start).split('\n')
}

/** The new file's line a hunk begins at; a hunk without new lines names the line before it. */
function hunkStart(header: string): number {
  const [, start, count] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(header) ?? []
  return Number(start) + (count === '0' ? 1 : 0)
}
