import type { AnchorScheme } from '../core/anchor-scheme.js'
import type { Blob, FileMode } from '../core/blob.js'
import { Refusal } from '../core/errors.js'
import type { Limits } from '../core/limits.js'
import type { Oid } from '../core/oid.js'
import type { RepoPath } from '../core/repo-path.js'
import { anchoredText, anchorRules } from '../formats/text/anchors.js'
import type { TextEncoding } from '../formats/text/decode.js'
import type { LineIndex } from '../formats/text/line-index.js'
import { openText, type TextFile } from '../formats/text/text-file.js'
import { encodeBase64 } from './encode-base64.js'

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
  readonly content_base64?: string
  /** True where the budget cut the answer. */
  readonly truncated: boolean
  /** The first line asked for that was left out. */
  readonly next_line?: number
  /** The last line answered is only the beginning of that line. */
  readonly line_cut?: true
}

export interface ReadOptions {
  /** From 1, both included; an end past the last line means the last line. */
  readonly lines?: { readonly start: number; readonly end: number }
  readonly view: 'plain' | 'numbered' | 'hashline'
  /** How the anchors of the view hashline are made. */
  readonly anchors?: AnchorScheme | undefined
}

/** A file as text within the budget, or what can be said of one that is not text. `OUT_OF_RANGE` for lines it does not have. */
export function renderRead(
  path: RepoPath,
  blob: Blob,
  options: ReadOptions,
  limits: Limits,
): ReadAnswer {
  const about = { path, rev: blob.oid, mode: blob.mode, bytes: blob.bytes.length }
  const file = openText(blob.bytes)
  if (file === undefined) return { ...about, ...renderBinary(blob.bytes, limits) }
  const wanted = wantedLines(path, file.lines.count, options)
  return {
    ...about,
    encoding: file.encoding,
    eol: eolOf(file.lines),
    total_lines: file.lines.count,
    final_newline: file.lines.hasFinalNewline,
    ...(!file.isLossless && { lossy: true }),
    ...renderLines(file, wanted, lineTextOf(options), limits.readBytes),
  }
}

function renderBinary(bytes: Uint8Array, limits: Limits) {
  const fits = Math.ceil(bytes.length / 3) * 4 <= limits.readBytes
  return {
    encoding: 'binary',
    eol: 'none',
    total_lines: 0,
    start_line: 1,
    end_line: 0,
    final_newline: false,
    ...(fits && { content_base64: encodeBase64(bytes) }),
    truncated: !fits,
  } as const
}

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

/** Whole lines as long as they fit; of a first line that does not fit, its beginning. */
function renderLines(
  file: TextFile,
  { start, end }: { readonly start: number; readonly end: number },
  lineText: LineText,
  limitBytes: number,
) {
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

function cut(parts: readonly string[], start: number, last: number, end: number) {
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
