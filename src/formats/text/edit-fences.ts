import { type CodeFence, closesFence, readFence } from './code-fences.js'
import { type HeaderProblem, isEditInfo, readEditHeader } from './edit-header.js'
import { joinLines, type MessageLine, messageLines } from './message-lines.js'
import { closesReasoning, readReasoning } from './reasoning.js'
import {
  type BlockMarkers,
  type BlockProblem,
  readBlock,
  type SearchBlock,
} from './search-blocks.js'

/** One text and what shall stand in its place; LF, ending in a newline when not empty. */
export interface EditBlock {
  readonly line: number
  readonly search: string
  readonly replace: string
}

/** An edit fence: blocks for one file at one revision. */
export interface EditFence {
  readonly line: number
  readonly file: string
  readonly rev: string
  readonly blocks: readonly EditBlock[]
}

/** Any other fence; an edit elsewhere may point at its text by the id. */
export interface BodyFence {
  readonly info: string
  readonly id: string | null
  readonly text: string
}

export type FenceProblem =
  | HeaderProblem
  | BlockProblem
  | 'rev_mismatch_in_batch'
  | 'fence_unclosed'
  | 'fence_not_at_margin'
  | 'block_truncated'
  | 'junk_in_fence'
  | 'bad_marker'
  | 'no_block'
  | 'empty_search'
  | 'no_change'
  | 'reasoning_unclosed'

/** One thing that is wrong with a message, by its line from 1. */
export interface PlacedProblem {
  readonly code: FenceProblem
  readonly line: number
}

/** What a message asks for. One problem is enough to do nothing of it. */
export interface FencedMessage {
  readonly edits: readonly EditFence[]
  readonly bodies: readonly BodyFence[]
  /** Things that were forgiven. */
  readonly flags: readonly 'language_before_edit'[]
  readonly problems: readonly PlacedProblem[]
}

/** What was read so far. */
interface Reading {
  readonly edits: EditFence[]
  readonly bodies: BodyFence[]
  readonly flags: Set<'language_before_edit'>
  readonly problems: PlacedProblem[]
  readonly revs: Map<string, string>
}

/**
 * Reads the edit fences of a whole message:
 *
 *     fence  := "```" [lang " "] "edit:" path " rev:" rev LF block+ "```"
 *     block  := "<<<<<<< SEARCH" LF text "=======" LF text ">>>>>>> REPLACE" LF
 *
 * Fences are those of CommonMark, but at the margin (up to three spaces) and explicitly closed. The
 * three markers have seven or more equal characters, all of one length; a text that holds such lines
 * takes longer ones, and a text that holds fences takes a longer fence. Nothing counts that stands in
 * reasoning or in another fence.
 */
export function readEditFences(message: string): FencedMessage {
  const lines = messageLines(message)
  const reading: Reading = {
    edits: [],
    bodies: [],
    flags: new Set(),
    problems: [],
    revs: new Map(),
  }
  for (let at = 0; at < lines.length; ) at = readPart(lines, at, reading)
  const { edits, bodies, flags, problems } = reading
  return { edits, bodies, flags: [...flags], problems }
}

/** Reads the fence, the reasoning or the line of prose at a place, and answers the next place. */
function readPart(lines: readonly MessageLine[], at: number, reading: Reading): number {
  const { line, text } = lines[at] ?? { line: 0, text: '' }
  const reasoning = readReasoning(lines, at)
  if (reasoning !== undefined) {
    if (!reasoning.isClosed) reading.problems.push({ code: 'reasoning_unclosed', line })
    if (isEditOpener(reasoning.rest)) reading.problems.push({ code: 'fence_not_at_margin', line })
    return reasoning.next
  }
  const fence = readFence(lines, at)
  if (fence !== undefined) {
    addFence(fence, reading)
    return fence.next
  }
  if (closesReasoning(text) && hasFence(reading)) {
    reading.problems.push({ code: 'reasoning_unclosed', line })
  }
  if (!isEditOpener(text)) return at + 1
  reading.problems.push({ code: 'fence_not_at_margin', line })
  return behindMisplaced(lines, at)
}

function hasFence({ edits, problems }: Reading): boolean {
  return edits.length > 0 || problems.length > 0
}

const misplaced = /^[\s>*+\-\d.)]*(`{3,}|~{3,})(?![`~])([^`]*)$/

/** True for an opening line that is no fence here: in a list, in a quote or too far from the margin. */
function isEditOpener(text: string): boolean {
  const [, run, info = ''] = misplaced.exec(text) ?? []
  return run !== undefined && isEditInfo(info.trim())
}

/** Behind the closing line of a misplaced fence, so that this line does not open another one. */
function behindMisplaced(lines: readonly MessageLine[], at: number): number {
  const run = misplaced.exec(lines[at]?.text ?? '')?.[1] ?? ''
  const length = lines
    .slice(at + 1)
    .findIndex(({ text }) => closesFence(text.replace(/^[\s>]*/, ''), run))
  return length < 0 ? lines.length : at + length + 2
}

function addFence(fence: CodeFence, reading: Reading): void {
  const { info, line } = fence
  if (isEditInfo(info)) addEdit(fence, reading)
  else if (fence.isClosed) {
    const id = /(?:^|\s)id=(\S+)/.exec(info)?.[1] ?? null
    reading.bodies.push({ info, id, text: joinLines(fence.lines) })
  }
  if (!fence.isClosed) reading.problems.push({ code: 'fence_unclosed', line })
}

function addEdit(fence: CodeFence, { edits, flags, problems, revs }: Reading): void {
  const { line } = fence
  const header = readEditHeader(fence.info)
  if (typeof header === 'string') {
    problems.push({ code: header, line })
    return
  }
  const { file, rev } = header
  if ((revs.get(file) ?? rev) !== rev) problems.push({ code: 'rev_mismatch_in_batch', line })
  revs.set(file, rev)
  if (header.hasLanguage) flags.add('language_before_edit')
  edits.push({ line, file, rev, blocks: readBlocks(fence, problems) })
}

function readBlocks(fence: CodeFence, problems: PlacedProblem[]): readonly EditBlock[] {
  const { lines } = fence
  const blocks: EditBlock[] = []
  for (let at = 0; at < lines.length; ) {
    const { line, text } = lines[at] ?? { line: 0, text: '' }
    if (text.trim() === '') {
      at += 1
      continue
    }
    const read = readMarked(lines, at)
    if ('code' in read) {
      const isCut = read.code === 'block_unclosed' && !fence.isClosed
      problems.push(isCut ? { ...read, code: 'block_truncated' } : read)
      return blocks
    }
    const block = { line, search: joinLines(read.search), replace: joinLines(read.replace) }
    problems.push(...problemsOf(block))
    blocks.push(block)
    at = read.next
  }
  if (blocks.length === 0) problems.push({ code: 'no_block', line: fence.line })
  return blocks
}

function readMarked(lines: readonly MessageLine[], at: number): SearchBlock | PlacedProblem {
  const { line, text } = lines[at] ?? { line: 0, text: '' }
  const markers = markersOf(text.trimEnd())
  if (markers === undefined) {
    const isMeant = /^\s*<+\s*search\b/i.test(text)
    return { code: isMeant ? 'bad_marker' : 'junk_in_fence', line }
  }
  const read = readBlock(lines, at, markers)
  return 'problem' in read ? { code: read.problem, line: read.line } : read
}

function markersOf(text: string): BlockMarkers | undefined {
  const run = /^(<{7,}) SEARCH$/.exec(text)?.[1]
  if (run === undefined) return undefined
  const length = run.length
  return { search: text, separator: '='.repeat(length), replace: `${'>'.repeat(length)} REPLACE` }
}

function problemsOf({ line, search, replace }: EditBlock): readonly PlacedProblem[] {
  if (search === '') return [{ code: 'empty_search', line }]
  return search === replace ? [{ code: 'no_change', line }] : []
}
