import type { AnchorScheme } from '../core/anchor-scheme.js'
import type { Blob, FileMode } from '../core/blob.js'
import { Refusal } from '../core/errors.js'
import { fixedLimits, type Limits } from '../core/limits.js'
import type { Oid } from '../core/oid.js'
import type { LineRange } from '../core/receipt.js'
import type { RepoPath } from '../core/repo-path.js'
import { anchoredText, anchorRules } from '../formats/text/anchors.js'
import type { TextEncoding } from '../formats/text/decode.js'
import type { LineIndex } from '../formats/text/line-index.js'
import type { TextFile } from '../formats/text/text-file.js'
import { binaryKind, type FileKind, isMinified } from './file-kind.js'
import type { ToldSymbol } from './symbols-view.js'

/** One file as it is read: what it is, and as much of it as was asked for and fits. */
export interface ReadAnswer {
  readonly path: string
  readonly rev: Oid
  readonly mode: FileMode
  readonly encoding: TextEncoding | 'binary'
  readonly eol: 'lf' | 'crlf' | 'cr' | 'mixed' | 'none'
  /** Length of the whole file. */
  readonly bytes: number
  readonly total_lines: number
  /** The lines answered; `end_line` is one less than `start_line` where there are none. */
  readonly start_line: number
  readonly end_line: number
  readonly final_newline: boolean
  /** Plain: the lines with the endings they have. Numbered: `12<TAB>code`, hashline: `12:abc:rst→code`, joined by LF. */
  readonly text?: string
  /** Some bytes are not UTF-8; each shows as U+FFFD and is kept by edits elsewhere. */
  readonly lossy?: true
  /** What the file is, where it is not shown as text. */
  readonly kind?: FileKind
  /** What a long file declares, where no part of it was asked for: below the lines that are shown. */
  readonly outline?: readonly ToldSymbol[]
  /** True where the file goes on behind what was asked for, or the budget cut that. */
  readonly truncated: boolean
  /** How to get what is not shown. */
  readonly go_on?: string
  /** The first line asked for that was left out. */
  readonly next_line?: number
  /** The last line answered is only the beginning of that line. */
  readonly line_cut?: true
}

export interface ReadOptions {
  /** From 1, both included; an end past the last line means the last line. */
  readonly lines?: { readonly start: number; readonly end: number }
  readonly view: 'plain' | 'numbered' | 'hashline'
  /** Show only the beginning of a long file of which no lines are asked for, and nothing of a minified one. */
  readonly opensBriefly?: boolean
  /** How the anchors of the view hashline are made. */
  readonly anchors?: AnchorScheme | undefined
}

/** A file as text within the budget, or what can be said of one that is not text. `OUT_OF_RANGE` for lines it does not have. */
export function renderRead(
  path: RepoPath,
  blob: Blob,
  file: TextFile | undefined,
  options: ReadOptions,
  limits: Limits,
): ReadAnswer {
  const about = { path, rev: blob.oid, mode: blob.mode, bytes: blob.bytes.length }
  if (file === undefined) return { ...about, ...notText, kind: binaryKind(path, blob.bytes) }
  const facts = {
    ...about,
    encoding: file.encoding,
    eol: eolOf(file.lines),
    total_lines: file.lines.count,
    final_newline: file.lines.hasFinalNewline,
    ...(!file.isLossless && { lossy: true as const }),
  }
  const isBrief = options.opensBriefly === true && options.lines === undefined
  if (isBrief && isMinified(file)) return { ...facts, ...minified }
  const wanted = wantedLines(path, file.lines.count, options)
  const { readWholeLines, readWindowLines } = fixedLimits
  if (!isBrief || wanted.end <= readWholeLines) {
    return { ...facts, ...renderLines(file, wanted, lineTextOf(options), limits.readBytes) }
  }
  const window = { start: 1, end: readWindowLines }
  return { ...facts, ...beginning(file, window, options, limits) }
}

/** The first lines of a long file. */
function beginning(
  file: TextFile,
  window: LineRange,
  options: ReadOptions,
  limits: Limits,
): ReturnType<typeof renderLines> {
  const shown = renderLines(file, window, lineTextOf(options), limits.readBytes)
  const next = shown.end_line + 1
  const go_on = `name lines, such as ${next}-${next + fixedLimits.readWholeLines - 1}, or a symbol; lines 1- are all of it`
  return { ...shown, truncated: true, next_line: next, go_on }
}

const nothingShown = { start_line: 1, end_line: 0 } as const

const notText = {
  encoding: 'binary',
  eol: 'none',
  total_lines: 0,
  ...nothingShown,
  final_newline: false,
  truncated: false,
  go_on: 'raw (Accept: application/octet-stream) answers its bytes',
} as const

const minified = {
  kind: 'minified',
  ...nothingShown,
  truncated: true,
  next_line: 1,
  go_on: 'its lines are very long: search it, or name lines to see the beginning of each',
} as const

function wantedLines(path: RepoPath, total: number, { lines }: ReadOptions) {
  if (lines === undefined) return { start: 1, end: total }
  const { start, end } = lines
  const isInside = start >= 1 && start <= end && (start <= total || total === 0)
  if (!isInside) throw new Refusal('OUT_OF_RANGE', { path, start, end, total_lines: total })
  return total === 0 ? { start: 1, end: 0 } : { start, end: Math.min(end, total) }
}

function eolOf(lines: LineIndex): ReadAnswer['eol'] {
  if (!lines.isUniform) return 'mixed'
  if (lines.dominantEnding === '\r\n') return 'crlf'
  if (lines.dominantEnding === '\r') return 'cr'
  return lines.dominantEnding === '\n' ? 'lf' : 'none'
}

type Shown = Pick<
  ReadAnswer,
  'text' | 'start_line' | 'end_line' | 'truncated' | 'next_line' | 'line_cut' | 'go_on'
>

/** Whole lines as long as they fit; of a first line that does not fit, its beginning. */
function renderLines(
  file: TextFile,
  { start, end }: { readonly start: number; readonly end: number },
  lineText: LineText,
  limitBytes: number,
): Shown {
  const encoder = new TextEncoder()
  const room = new Uint8Array(limitBytes)
  const parts: string[] = []
  let used = 0
  for (let line = start; line <= end; line += 1) {
    const part = lineText(file, line, start).toWellFormed()
    const { read, written } = encoder.encodeInto(part, room.subarray(used))
    if (read < part.length && line > start) return cut(parts, start, line - 1, end)
    parts.push(part.slice(0, read))
    if (read < part.length) return { ...cut(parts, start, line, end), line_cut: true } as const
    used += written
  }
  return { text: parts.join(''), start_line: start, end_line: end, truncated: false }
}

function cut(parts: readonly string[], start: number, last: number, end: number): Shown {
  return {
    text: parts.join(''),
    start_line: start,
    end_line: last,
    truncated: true,
    ...(last < end && { next_line: last + 1 }),
  }
}

/** What is answered for a line; `first` is the first line of the answer. */
type LineText = (file: TextFile, line: number, first: number) => string

function lineTextOf({ view, anchors = 'chunk' }: ReadOptions): LineText {
  if (view === 'plain') return plainLine
  if (view === 'numbered') return numberedLine
  return (file, line, first) =>
    `${line === first ? '' : '\n'}${anchoredText(file, line, anchorRules[anchors])}`
}

function plainLine({ text, lines }: TextFile, line: number): string {
  return text.slice(lines.startOf(line), lines.endOf(line)) + lines.endingOf(line)
}

function numberedLine({ text, lines }: TextFile, line: number, first: number): string {
  const code = text.slice(lines.startOf(line), lines.endOf(line))
  return `${line === first ? '' : '\n'}${line}\t${code}`
}
