import type { PatchDetail } from '../core/patch-detail.js'

interface PatchLine {
  readonly mark: string
  /** The line with its mark, and the note that it has no end, where it has none. */
  text: string
  /** Where it stands before and after, from 1; on the side where it is absent, where the next one stands. */
  readonly oldLine: number
  readonly newLine: number
}

/** A patch of one file as a detail wants it: undefined for ranges, hunks without a header for `u0` and `u1`. */
export function patchInDetail(patch: string, detail: PatchDetail): string | undefined {
  if (detail === 'ranges') return undefined
  return detail === 'u3' ? patch : narrowPatch(patch, detail === 'u0' ? 0 : 1)
}

/** The hunks of a unified diff with less context than they have; of its header only what no hunk tells. */
function narrowPatch(patch: string, contextLines: number): string {
  const lines = patch.split('\n')
  if (lines.at(-1) === '') lines.pop()
  const parts: string[] = []
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? ''
    const hunk = readHunk(lines, at)
    if (hunk !== undefined) parts.push(...runsOf(hunk.lines, contextLines).map(renderRun))
    else if (/^(?:Binary files |(?:old|new) mode )/.test(line)) parts.push(`${line}\n`)
    at = hunk?.end ?? at + 1
  }
  return parts.join('')
}

/** The hunk whose header stands at a line; undefined where none does. */
function readHunk(
  lines: readonly string[],
  start: number,
): { readonly lines: readonly PatchLine[]; readonly end: number } | undefined {
  const header = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(lines[start] ?? '')
  if (header === null) return undefined
  const [, oldStart, oldCount = '1', newStart, newCount = '1'] = header
  // A side without lines names the line before it.
  let oldLine = Number(oldStart) + (oldCount === '0' ? 1 : 0)
  let newLine = Number(newStart) + (newCount === '0' ? 1 : 0)
  const [oldEnd, newEnd] = [oldLine + Number(oldCount), newLine + Number(newCount)]
  const found: PatchLine[] = []
  let at = start + 1
  for (; at < lines.length; at += 1) {
    const text = lines[at] ?? ''
    const mark = text.charAt(0)
    const last = found.at(-1)
    if (mark === '\\' && last !== undefined) last.text += `\n${text}`
    else if (oldLine === oldEnd && newLine === newEnd) break
    else {
      found.push({ mark, text, oldLine, newLine })
      if (mark !== '+') oldLine += 1
      if (mark !== '-') newLine += 1
    }
  }
  return { lines: found, end: at }
}

/** The changed lines with their context, those together that touch or overlap. */
function runsOf(lines: readonly PatchLine[], contextLines: number): readonly PatchLine[][] {
  const runs: PatchLine[][] = []
  let wasKept = false
  for (const [at, line] of lines.entries()) {
    const around = lines.slice(Math.max(0, at - contextLines), at + 1 + contextLines)
    const isKept = around.some(({ mark }) => mark === '+' || mark === '-')
    if (isKept && !wasKept) runs.push([line])
    else if (isKept) runs.at(-1)?.push(line)
    wasKept = isKept
  }
  return runs
}

function renderRun(run: readonly PatchLine[]): string {
  const [first] = run
  if (first === undefined) return ''
  const oldCount = run.filter(({ mark }) => mark !== '+').length
  const newCount = run.filter(({ mark }) => mark !== '-').length
  const header = `@@ -${span(first.oldLine, oldCount)} +${span(first.newLine, newCount)} @@\n`
  return header + run.map(({ text }) => `${text}\n`).join('')
}

function span(start: number, count: number): string {
  if (count === 0) return `${start - 1},0`
  return count === 1 ? `${start}` : `${start},${count}`
}
