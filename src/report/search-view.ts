import { fixedLimits } from '../core/limits.js'
import { shortOid } from '../core/oid.js'
import type { SymbolKind } from '../core/outline.js'
import { counted } from './counted.js'
import { visibleText } from './visible-text.js'

/** Who found the files; the lines are looked up again in what is served. */
export type SearchEngine = 'git grep' | 'ripgrep' | 'git grep -P' | 'symbols'

export type SearchMode = 'literal' | 'regex' | 'symbols'

/** The innermost declaration of several lines around a hit. */
export interface SymbolAround {
  readonly name_path: string
  readonly kind: SymbolKind
  readonly start_line: number
  readonly end_line: number
}

/** One line that fits. */
export interface SearchHit {
  readonly line: number
  /** Where in the line it fits first, from 1, in UTF-16 code units. */
  readonly column: number
  /** The line; a long one is cut around the hit, with `…` where something is missing. */
  readonly text: string
  /** The lines around it that are asked for and belong to no hit before. */
  readonly before?: readonly string[]
  readonly after?: readonly string[]
  readonly symbol?: SymbolAround
}

/** One file with the lines that fit. */
export interface FileHits {
  readonly path: string
  readonly rev: string
  readonly hits: readonly SearchHit[]
  /** Lines of this file that fit and are not shown. */
  readonly more_hits?: number
}

/** Files that hold the pattern and cannot be shown, by the reason. */
export type SkippedFiles = Readonly<
  Partial<
    Record<'binary' | 'large' | 'link' | 'unnamed' | 'changed' | 'encoded' | 'unread', number>
  >
>

/** What a search found, by file in the order of the paths. */
export interface SearchAnswer {
  readonly pattern: string
  readonly mode: SearchMode
  readonly engine: SearchEngine
  readonly files: readonly FileHits[]
  readonly shown_hits: number
  /** Lines and files that fit, those before `after` among them; what is not shown is counted as it stands on the disk. */
  readonly total_hits: number
  readonly total_files: number
  readonly truncated: boolean
  /** Where truncated: the path after which the next answer goes on, and what else to do; also where there is no file to search. */
  readonly next?: string
  readonly go_on?: string
  readonly skipped?: SkippedFiles
  /** Declarations around hits are missing in some files, because reading them took too long. */
  readonly symbols_missing?: true
}

/** The same answer as before, of which the caller says that it has it. */
export interface SameAnswer {
  readonly pattern: string
  readonly mode: SearchMode
  readonly same: true
}

/** A line no longer than is shown, cut around a place in it. */
export function cutLine(line: string, at: number): string {
  const room = fixedLimits.searchLineChars
  if (line.length <= room) return line
  const start = Math.max(0, Math.min(at - Math.floor(room / 4), line.length - room))
  const cut = line.slice(start, start + room).toWellFormed()
  return `${start > 0 ? '…' : ''}${cut}${start + room < line.length ? '…' : ''}`
}

/** The lines of text that a hit costs in an answer; `last` is the symbol told before it. */
export function hitLines(hit: SearchHit, last: SymbolAround | undefined): readonly string[] {
  const { line, text, before = [], after = [], symbol } = hit
  const isNew = symbol !== undefined && symbolText(symbol) !== (last && symbolText(last))
  return [
    ...(isNew ? [symbolText(symbol)] : []),
    ...before.map((one, at) => `${line - before.length + at}-\t${one}`),
    `${line}\t${text}`,
    ...after.map((one, at) => `${line + 1 + at}-\t${one}`),
  ]
}

/** A search as compact text: each file with its revision, `in Class/method L12-40` above the hits in it, `12<TAB>line`. */
export function renderSearchText(answer: (SearchAnswer | SameAnswer) & Told): string {
  if ('same' in answer) return 'same as before: nothing that it depends on has changed'
  const { files, mode, truncated, go_on: goOn } = answer
  const lines = files.flatMap(file => [
    `${file.path} ${shortOid(file.rev)}`,
    ...(mode === 'symbols' ? file.hits.map(({ text }) => text) : linesOfFile(file)),
    ...(file.more_hits === undefined ? [] : [`(${file.more_hits} more in this file)`]),
  ])
  const notes = [
    ...(goOn === undefined
      ? []
      : [truncated ? `(${totals(answer)} in all; ${goOn})` : `(${goOn})`]),
    ...skippedLines(answer),
    ...(answer.cached ? ['(unchanged since this was asked before)'] : []),
  ]
  return visibleText([...(lines.length > 0 ? lines : ['nothing found']), ...notes].join('\n'))
}

/** What is told besides the answer itself. */
export interface Told {
  /** A name of exactly this answer; sent as `if_result` it spares the answer where it would be the same. */
  readonly result: string
  /** It was answered from memory, after a look that nothing has changed since. */
  readonly cached?: true
}

function linesOfFile({ hits }: FileHits): readonly string[] {
  let last: SymbolAround | undefined
  return hits.flatMap(hit => {
    const lines = hitLines(hit, last)
    last = hit.symbol ?? last
    return lines
  })
}

function symbolText({ name_path: name, start_line: start, end_line: end }: SymbolAround): string {
  return `in ${cutLine(name.replace(/\s+/g, ' '), 0)} L${start}-${end}`
}

function totals({ total_hits: hits, total_files: files }: SearchAnswer): string {
  return `${counted(hits, 'line')} in ${counted(files, 'file')}`
}

const reasons: Readonly<Record<keyof SkippedFiles, string>> = {
  binary: 'binary',
  large: 'too large',
  link: 'behind a symbolic link',
  unnamed: 'with names that are not UTF-8',
  changed: 'changed or gone meanwhile',
  encoded: 'in an encoding that was not searched',
  unread: 'not looked into',
}

function skippedLines({ skipped = {} }: SearchAnswer): readonly string[] {
  return Object.entries(skipped).map(
    ([reason, count]) =>
      `(not shown: ${counted(count, 'file')} ${reasons[reason as keyof SkippedFiles]})`,
  )
}
