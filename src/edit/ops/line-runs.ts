import { followIndent } from '../../formats/text/follow-indent.js'
import type { Ending } from '../../formats/text/line-index.js'
import type { Replacement } from '../../formats/text/piece-text.js'
import { foldTypography, type SeekLevel, type SoughtLines } from '../../formats/text/seek-lines.js'
import { type HunkLine, oldLines, type PlacedHunk } from './hunk.js'

/** A line that a hunk puts in, with its ending where the patch decides it. */
interface AddedLine {
  readonly text: string
  readonly ending?: Ending
  /** It was indented as its place is. */
  readonly reindented?: true
}

/** Lines of a text, from 0 and half-open, that give way to others. */
export interface LineRun {
  readonly start: number
  readonly end: number
  readonly added: readonly AddedLine[]
}

/** How the text ends, before and afterwards. */
export interface EndOfText {
  readonly wasOpen: boolean
  readonly staysOpen: boolean
}

/** The changed lines of a hunk, without those that it removes and adds alike. */
export function runsOf(sought: SoughtLines, placed: PlacedHunk<SeekLevel>): readonly LineRun[] {
  return groupsOf(placed).map(({ start, removed, added }) => {
    const shorter = Math.min(removed.length, added.length)
    let head = 0
    while (head < shorter && removed[head]?.text === added[head]?.text) head += 1
    let tail = 0
    while (tail < shorter - head && removed.at(-1 - tail)?.text === added.at(-1 - tail)?.text) {
      tail += 1
    }
    const end = start + removed.length
    const young = added.slice(head, added.length - tail)
    const old = removed.slice(head, removed.length - tail)
    return {
      start: start + head,
      end: end - tail,
      added: fitLines(sought, placed, young, { start: start + head, removed: old }),
    }
  })
}

/** The changed lines of a hunk to the letter, with the endings it gives them where they count. */
export function literalRunsOf(
  placed: PlacedHunk<SeekLevel>,
  endings: 'said' | 'chosen',
): readonly LineRun[] {
  const endingOf = ({ hasCarriageReturn }: HunkLine): Ending => (hasCarriageReturn ? '\r\n' : '\n')
  return groupsOf(placed).map(({ start, removed, added }) => ({
    start,
    end: start + removed.length,
    added: added.map(line => ({
      text: line.text,
      ...(endings === 'said' && { ending: endingOf(line) }),
    })),
  }))
}

/** The runs as replacements of the text; runs that touch become one. */
export function spliceRuns(
  sought: SoughtLines,
  runs: readonly LineRun[],
  end: EndOfText,
): readonly Replacement[] {
  return joinTouching(runs)
    .filter(run => run.start < run.end || run.added.length > 0)
    .map(run => (run.end < sought.count ? spliceInside(sought, run) : spliceEnd(sought, run, end)))
}

interface Group {
  readonly start: number
  readonly removed: HunkLine[]
  readonly added: HunkLine[]
}

/** The lines of a hunk that are removed and added between two lines of context. */
function groupsOf({ lines, at }: PlacedHunk<SeekLevel>): readonly Group[] {
  const groups: Group[] = []
  let line = at
  let open: Group | undefined
  for (const hunkLine of lines) {
    if (hunkLine.kind === 'context') {
      open = undefined
    } else {
      const group = open ?? { start: line, removed: [], added: [] }
      if (open === undefined) groups.push(group)
      group[hunkLine.kind].push(hunkLine)
      open = group
    }
    if (hunkLine.kind !== 'added') line += 1
  }
  return groups
}

/** The added lines as they fit the place, where it was not found exactly as it was written. */
function fitLines(
  sought: SoughtLines,
  { lines, at, level }: PlacedHunk<SeekLevel>,
  added: readonly HunkLine[],
  place: { readonly start: number; readonly removed: readonly HunkLine[] },
): readonly AddedLine[] {
  if (level === 'exact' || level === 'trailing_whitespace')
    return added.map(({ text }) => ({ text }))
  const rule = followIndent(
    oldLines(lines).map((wanted, index) => ({ wanted, actual: sought.lineAt(at + index) })),
  )
  return added.map(({ text }, index) => {
    const followed = rule.follow(text) ?? text
    const reindented = followed === text ? {} : { reindented: true as const }
    const removed = place.removed[index]
    if (level !== 'unicode_normalised' || removed === undefined) {
      return { text: followed, ...reindented }
    }
    const kept = keepTypography(followed, removed.text, sought.lineAt(place.start + index))
    return { text: kept, ...reindented }
  })
}

/** Of a line that was written plainly, what the edit did not change stays in the typography of the file. */
function keepTypography(young: string, wanted: string, actual: string): string {
  const [body, plain, own] = [young.trim(), wanted.trim(), actual.trim()]
  if (plain.length !== own.length || foldTypography(own).length !== own.length) return young
  const shorter = Math.min(body.length, plain.length)
  let head = 0
  while (head < shorter && body[head] === plain[head]) head += 1
  let tail = 0
  while (tail < shorter - head && body.at(-1 - tail) === plain.at(-1 - tail)) tail += 1
  const kept =
    own.slice(0, head) + body.slice(head, body.length - tail) + own.slice(own.length - tail)
  return young.replace(body, () => kept)
}

/** In order of the text, those that follow on each other as one. */
function joinTouching(runs: readonly LineRun[]): readonly LineRun[] {
  const joined: LineRun[] = []
  for (const run of runs.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    const last = joined.at(-1)
    if (last === undefined || last.end < run.start) joined.push(run)
    else {
      const added = [...last.added, ...run.added]
      joined.splice(-1, 1, { start: last.start, end: Math.max(last.end, run.end), added })
    }
  }
  return joined
}

function spliceInside(sought: SoughtLines, { start, end, added }: LineRun): Replacement {
  return {
    from: sought.startOf(start),
    to: sought.startOf(end),
    text: added.map(({ text }) => `${text}\n`).join(''),
    ...endingsOf(added),
  }
}

/** A run at the end of the text decides whether the text ends with a break. */
function spliceEnd(
  sought: SoughtLines,
  { start, end, added }: LineRun,
  { wasOpen, staysOpen }: EndOfText,
): Replacement {
  const from = sought.startOf(start)
  const to = sought.startOf(end)
  if (added.length === 0) {
    const eatsBreak = staysOpen && start > 0
    return { from: eatsBreak ? from - 1 : from, to, text: '' }
  }
  const body = added.map(({ text }) => text).join('\n') + (staysOpen ? '' : '\n')
  const isAfterOpen = wasOpen && start === sought.count
  return isAfterOpen
    ? { from, to, text: `\n${body}`, ...endingsOf([{ text: '' }, ...added]) }
    : { from, to, text: body, ...endingsOf(added) }
}

function endingsOf(added: readonly AddedLine[]): Pick<Replacement, 'endings'> {
  const isSaid = added.some(({ ending }) => ending !== undefined)
  return isSaid ? { endings: added.map(({ ending }) => ending) } : {}
}
