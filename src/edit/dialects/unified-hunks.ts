import type { Hunk, HunkLine, OpenEnds } from '../ops/hunk.js'
import { unparsable } from './dialect.js'
import type { PatchLine } from './patch-lines.js'

/** A hunk and the place in the list of lines where it ends. */
export interface TakenHunk {
  readonly hunk: Hunk
  readonly end: number
}

/** True for the line that begins a hunk, with or without line numbers. */
export function isHunkHeader({ text }: PatchLine): boolean {
  return text.startsWith('@@')
}

/** Reads the hunk that begins at a place of the list. */
export function takeHunk(lines: readonly PatchLine[], at: number, number: number): TakenHunk {
  const header = lines[at]
  if (header === undefined) throw new RangeError('a hunk begins at a line')
  const stated = statedOf(header)
  const end = endOfBody(lines, at + 1, stated)
  const raw = lines.slice(at + 1, end)
  const body = stated === undefined ? withoutSpacing(raw) : raw
  if (body.length === 0) throw unparsable(header.number, 'the hunk has no line')
  const hunkLines = linesOf(body, header.text.endsWith('\r'))
  const openEnds = openEndsOf(body)
  return {
    hunk: {
      number,
      patchLine: header.number,
      lines: hunkLines,
      headers: [],
      looseLines: 0,
      isAtEnd: false,
      ...(stated && { start: stated.start }),
      openEnds,
    },
    end,
  }
}

/** What the `@@` line says. */
interface Stated {
  readonly start: number
  readonly oldCount: number
  readonly newCount: number
}

/** Undefined where the `@@` line has no numbers; refused where it has broken ones. */
function statedOf({ text, number }: PatchLine): Stated | undefined {
  const match = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@/.exec(text)
  if (match !== null) {
    const [, start, oldCount = '1', newCount = '1'] = match
    return { start: Number(start), oldCount: Number(oldCount), newCount: Number(newCount) }
  }
  if (/^@@ *[-+]\d/.test(text)) {
    throw unparsable(number, 'is no hunk header; it reads @@ -start,count +start,count @@')
  }
  return undefined
}

/** Where the lines of a hunk end: where its counts are fulfilled, or where another hunk or file begins. */
function endOfBody(lines: readonly PatchLine[], from: number, stated: Stated | undefined): number {
  const left = { old: stated?.oldCount ?? 0, young: stated?.newCount ?? 0 }
  let at = from
  for (; at < lines.length; at += 1) {
    const line = lines[at]
    if (line === undefined) break
    const isOwed = left.old > 0 || left.young > 0
    if (isBoundary(lines, at, left)) break
    if (line.text.startsWith('\\ ')) continue
    const kind = prefixOf(line)
    if (kind === undefined) {
      if (isOwed) throw unparsable(line.number, 'begins with none of space, - and +')
      break
    }
    if (stated !== undefined && !isOwed && isBlank(line)) break
    if (kind !== '+') left.old -= 1
    if (kind !== '-') left.young -= 1
  }
  const isShort = stated !== undefined && (left.old > 0 || left.young > 0)
  if (isShort && at >= lines.length) {
    throw unparsable(
      lines.at(-1)?.number ?? 1,
      'is the last line, but the @@ line promises more; the patch may be cut off',
    )
  }
  return at
}

interface Left {
  readonly old: number
  readonly young: number
}

/** True where another hunk or file begins. The counts decide whether `---` and `+++` are lines of the hunk. */
function isBoundary(lines: readonly PatchLine[], at: number, left: Left): boolean {
  const [text = '', next = '', after = ''] = lines.slice(at, at + 3).map(line => line.text)
  if (text.startsWith('@@') || /^diff --git |^Index: /.test(text)) return true
  if (/^-- ?\r?$/.test(text) && left.old <= 0) return true
  const areNames = text.startsWith('--- ') && next.startsWith('+++ ')
  if (!areNames || (left.old === 1 && left.young === 1)) return false
  return after.startsWith('@@') || (left.old <= 0 && left.young <= 0)
}

function isBlank({ text }: PatchLine): boolean {
  return text === '' || text === '\r'
}

/** The prefix of a line; an empty line is context that has lost its space. */
function prefixOf(line: PatchLine): ' ' | '-' | '+' | undefined {
  if (isBlank(line)) return ' '
  const [first] = line.text
  return first === ' ' || first === '-' || first === '+' ? first : undefined
}

/** Without line numbers nothing tells whether empty lines at the end are context: they are taken for spacing. */
function withoutSpacing(body: readonly PatchLine[]): readonly PatchLine[] {
  return body.slice(0, body.findLastIndex(line => !isBlank(line)) + 1)
}

function isNoNewline(line: PatchLine | undefined): boolean {
  return line?.text.startsWith('\\ ') === true
}

/**
 * A CR at the end of a line belongs to its break. Where the patch itself is written with CRLF it
 * stands in every line; else it is a part of the text of a line that has no break.
 */
function linesOf(body: readonly PatchLine[], isCarriagePatch: boolean): readonly HunkLine[] {
  return body.flatMap((line, index): readonly HunkLine[] => {
    if (isNoNewline(line)) return []
    const hasBreak = !isNoNewline(body[index + 1])
    const isReturned = line.text.endsWith('\r') && (hasBreak || isCarriagePatch)
    const text = line.text.slice(1, isReturned ? -1 : undefined)
    return [
      {
        kind: kinds[prefixOf(line) ?? ' '],
        text: isBlank(line) ? '' : text,
        ...(isReturned && { hasCarriageReturn: true as const }),
      },
    ]
  })
}

const kinds = { ' ': 'context', '-': 'removed', '+': 'added' } as const

function openEndsOf(body: readonly PatchLine[]): OpenEnds {
  const endOf = (side: '-' | '+'): boolean | undefined => {
    const last = body.findLastIndex(
      line => !isNoNewline(line) && [side, ' '].includes(prefixOf(line) ?? ''),
    )
    return last < 0 ? undefined : isNoNewline(body[last + 1])
  }
  return { old: endOf('-'), new: endOf('+') }
}
