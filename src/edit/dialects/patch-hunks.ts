import type { Hunk, HunkLine } from '../ops/hunk.js'
import { unparsable } from './dialect.js'
import type { PatchLine } from './patch-lines.js'

const endOfFile = '*** End of File'

/** A hunk that is being read. */
interface OpenHunk {
  readonly patchLine: number
  readonly headers: string[]
  readonly lines: HunkLine[]
  looseLines: number
  isAtEnd: boolean
}

/** The hunks of one updated file. */
export function parseHunks(header: PatchLine, body: readonly PatchLine[]): readonly Hunk[] {
  const hunks: OpenHunk[] = []
  for (const line of body) {
    const current = hunks.at(-1)
    if (line.text.startsWith('@@')) {
      const open = current !== undefined && isBare(current) ? current : openHunk(line)
      if (open !== current) hunks.push(open)
      open.headers.push(...headersOf(line.text))
    } else if (line.text.trimEnd() === endOfFile) {
      if (current === undefined || isBare(current)) throw saysNothing(line)
      current.isAtEnd = true
    } else if (current === undefined || current.isAtEnd) {
      // Blank lines between a section and its first hunk, or after the end of the file, say nothing.
      if (line.text === '') continue
      hunks.push(openHunk(line))
      addLine(hunks.at(-1) ?? openHunk(line), line)
    } else {
      addLine(current, line)
    }
  }
  const last = hunks.at(-1)
  if (last === undefined) {
    throw unparsable(header.number, 'updates a file without a hunk; one line of context is enough')
  }
  const empty = hunks.find(isBare)
  if (empty !== undefined) throw saysNothing({ number: empty.patchLine })
  return hunks.map((hunk, index) => ({ ...hunk, number: index + 1 }))
}

function openHunk({ number }: Pick<PatchLine, 'number'>): OpenHunk {
  return { patchLine: number, headers: [], lines: [], looseLines: 0, isAtEnd: false }
}

/** True for a hunk without a line so far: another `@@` narrows it further. */
function isBare({ lines, looseLines }: OpenHunk): boolean {
  return lines.length === looseLines
}

function saysNothing({ number }: Pick<PatchLine, 'number'>): Error {
  return unparsable(number, 'the hunk has no line')
}

/** What follows `@@`, unless it is nothing or the line numbers of a unified diff. */
function headersOf(line: string): readonly string[] {
  if (/^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/.test(line)) return []
  const text = line.slice(2)
  const header = (text.startsWith(' ') ? text.slice(1) : text).replace(/ @@$/, '')
  return header.trim() === '' || header.trim() === '@@' ? [] : [header]
}

function addLine(hunk: OpenHunk, { number, text }: PatchLine): void {
  const kind = kinds.get(text[0] ?? ' ')
  // What has lost its prefix is taken for context only where nothing else can be meant.
  const isUnprefixed = kind === undefined
  if (isUnprefixed && hunk.lines.some(line => line.kind !== 'context')) {
    throw unparsable(number, 'begins with none of space, - and +')
  }
  hunk.lines.push({ kind: kind ?? 'context', text: isUnprefixed ? text : text.slice(1) })
  hunk.looseLines = text === '' ? hunk.looseLines + 1 : 0
}

const kinds: ReadonlyMap<string, HunkLine['kind']> = new Map([
  [' ', 'context'],
  ['-', 'removed'],
  ['+', 'added'],
])
