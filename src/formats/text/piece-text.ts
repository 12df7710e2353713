import { Refusal } from '../../core/errors.js'
import type { LineRange } from '../../core/receipt.js'
import type { TextEdit } from '../../core/text-edit.js'
import { encodeText } from './decode.js'
import { fitEndings } from './fit-endings.js'
import { type Ending, lastAtMost } from './line-index.js'
import { mergeRanges } from './line-ranges.js'
import { LineTable } from './line-table.js'
import {
  findUntouched,
  type Insert,
  insertGroups,
  type Piece,
  type Place,
  pieceLength,
  type Run,
  replaceUntouched,
  type Stretch,
  splicePieces,
} from './piece.js'
import type { TextFile } from './text-file.js'

/** A stretch of the current text and what shall stand there; breaks are LF. */
export interface Replacement extends Stretch {
  readonly text: string
  /** What its breaks become in the file, in order; where one is not said it is chosen by the breaks around it. */
  readonly endings?: readonly (Ending | undefined)[]
}

/** A text as the ops of a batch have left it so far, and what the last op touched. */
interface State {
  readonly pieces: readonly Piece[]
  readonly touched: readonly Stretch[]
}

/**
 * A text file under edit: the original plus what was put in. Searches go by `text`, the current
 * state; line numbers always mean the original. Every method answers a new value.
 */
export class PieceText {
  readonly file: TextFile
  readonly #state: State
  #text: string | undefined
  #table: LineTable | undefined
  #starts: Float64Array | undefined

  private constructor(file: TextFile, state: State) {
    this.file = file
    this.#state = state
  }

  static of(file: TextFile): PieceText {
    const length = file.text.length
    const pieces = length === 0 ? [] : [{ from: 0, to: length }]
    return new PieceText(file, { pieces, touched: [] })
  }

  /** The current text, with LF for every break; put together only when somebody asks for it. */
  get text(): string {
    this.#text ??= this.#state.pieces.reduce((text, piece) => text + this.#textOf(piece), '')
    return this.#text
  }

  /** The lines of the current text, for searches. */
  get table(): LineTable {
    const { text, lines } = this.file
    this.#table ??= new LineTable(this.text, this.text === text ? lines.starts : undefined)
    return this.#table
  }

  /** True once somebody asked for the current text. */
  get isPutTogether(): boolean {
    return this.#text !== undefined
  }

  /** The lines of the original that the last op replaced; an empty range where it only put something in. */
  get touchedLines(): readonly LineRange[] {
    return mergeRanges(this.#state.touched.map(stretch => this.#originalLines(stretch)))
  }

  /** The part of the original that the last op replaced, from 0 to 1. */
  get touchedShare(): number {
    const touched = this.#state.touched.reduce((sum, { from, to }) => sum + to - from, 0)
    return touched / Math.max(this.file.text.length, 1)
  }

  /** The line of the original at an offset of the current text; for text put in, the line it replaced. */
  lineAt(offset: number): number {
    const index = lastAtMost(this.#pieceStarts(), offset)
    const piece = this.#state.pieces[index]
    if (piece === undefined) return 1
    const into = offset - (this.#pieceStarts()[index] ?? 0)
    const place = piece.insert === undefined ? piece.from + into : piece.insert.replaces.from
    return this.file.lines.lineAt(place)
  }

  /** Replaces stretches of the current text, sorted and disjoint. */
  splice(replacements: readonly Replacement[], owner: number): PieceText {
    const splices = replacements.map(({ from, to, text, endings }) => ({
      from,
      to,
      runs: this.#runs(text, from, to, endings),
    }))
    const { pieces, touched } = splicePieces(this.#state.pieces, splices, owner)
    for (const stretch of touched) this.#requireDecoded(stretch)
    return new PieceText(this.file, { pieces, touched })
  }

  /** Replaces a stretch of whole lines of the original; an empty one is a place between lines. `OVERLAPPING_EDITS` where an op has touched it. */
  replaceOriginal(stretch: Stretch, text: string, owner: number): PieceText {
    this.#requireDecoded(stretch)
    const place = findUntouched(this.#state.pieces, stretch)
    if (place === undefined || !this.#standsOnLines(place, stretch)) {
      const { start, end: last } = this.#originalLines(stretch)
      throw new Refusal('OVERLAPPING_EDITS', { start_line: start, end_line: Math.max(start, last) })
    }
    const runs = this.#runs(text, place.at, place.at + stretch.to - stretch.from)
    return new PieceText(this.file, {
      pieces: replaceUntouched(this.#state.pieces, place, stretch, runs, owner),
      touched: [stretch],
    })
  }

  /** The whole difference to the original, in its bytes: sorted, disjoint, none without effect. */
  edits(): readonly TextEdit[] {
    const edits: TextEdit[] = []
    const { file } = this
    for (const { from, to, inserts } of insertGroups(this.#state.pieces)) {
      const text = inserts.map(insert => withEnding(insert.text, insert.ending)).join('')
      const edit = { from: file.byteOffset(from), to: file.byteOffset(to) }
      const insert = encodeText(text, file.encoding)
      if (!isSameStretch(file.bytes, edit, insert)) edits.push({ ...edit, insert })
    }
    return edits
  }

  /** The lines of the current text that each op left; an empty range where it only took lines away. */
  linesByOwner(): ReadonlyMap<number, readonly LineRange[]> {
    const ranges = new Map<number, LineRange[]>()
    let line = 1
    for (const piece of this.#state.pieces) {
      const breaks = this.#breaksIn(piece)
      if (piece.insert !== undefined) {
        const range = this.#currentLines(line, breaks, piece.insert)
        const known = ranges.get(piece.insert.owner)
        if (known === undefined) ranges.set(piece.insert.owner, [range])
        else known.push(range)
      }
      line += breaks
    }
    return new Map([...ranges].map(([owner, all]) => [owner, mergeRanges(all)]))
  }

  #textOf({ from, to, insert }: Piece): string {
    return insert === undefined ? this.file.text.slice(from, to) : insert.text
  }

  /** True where an untouched stretch still begins and ends a line; asked of its neighbours, not of the whole text. */
  #standsOnLines({ index }: Place, { from, to }: Stretch): boolean {
    const { pieces } = this.#state
    const isInside = (pieces[index]?.from ?? from) < from
    const before = isInside ? this.file.text[from - 1] : this.#lastCharacter(pieces.slice(0, index))
    if (before !== undefined && before !== '\n') return false
    if (from === to || this.file.text[to - 1] === '\n') return true
    return to === this.file.text.length && pieces.slice(index + 1).every(isEmpty)
  }

  #lastCharacter(pieces: readonly Piece[]): string | undefined {
    const last = pieces.findLast(piece => !isEmpty(piece))
    return last && this.#textOf(last).at(-1)
  }

  #originalLines({ from, to }: Stretch): LineRange {
    const { lines } = this.file
    if (from < to) return { start: lines.lineAt(from), end: lines.lineAt(to - 1) }
    const start = from === this.file.text.length ? lines.count + 1 : lines.lineAt(from)
    return { start, end: start - 1 }
  }

  #breaksIn({ from, to, insert }: Piece): number {
    if (insert !== undefined) return insert.text.split('\n').length - 1
    const { lines } = this.file
    return lines.lineAt(to) - lines.lineAt(from)
  }

  /** What was put in at the beginning of a line or inside it, and so many breaks. */
  #currentLines(start: number, breaks: number, { text, replaces }: Insert): LineRange {
    if (text !== '') return { start, end: start + breaks - (text.endsWith('\n') ? 1 : 0) }
    return { start, end: this.#isWholeLines(replaces) ? start - 1 : start }
  }

  #isWholeLines({ from, to }: Stretch): boolean {
    const { text } = this.file
    const isStart = (offset: number): boolean => offset === 0 || text[offset - 1] === '\n'
    return isStart(from) && (isStart(to) || to === text.length)
  }

  #isLineStart(offset: number): boolean {
    return offset === 0 || this.text[offset - 1] === '\n'
  }

  #isLineEnd(offset: number): boolean {
    return offset === this.text.length || this.#isLineStart(offset)
  }

  #requireDecoded({ from, to }: Stretch): void {
    if (this.file.isLossless || this.file.text.slice(from, to).isWellFormed()) return
    throw new Refusal('UNSUPPORTED_ENCODING', { line: this.file.lines.lineAt(from) })
  }

  /** The text with the endings that its lines have or take over, where none are said. */
  #runs(
    text: string,
    from: number,
    to: number,
    said: readonly (Ending | undefined)[] = [],
  ): readonly Run[] {
    const usual = this.file.lines.dominantEnding ?? '\n'
    if (!text.includes('\n')) return [{ text, ending: usual }]
    if (said.length === 0 && this.file.lines.isUniform) return [{ text, ending: usual }]
    const own = this.#endingsIn(from, to)
    const near = this.#endingBefore(from) ?? own[0] ?? this.#endingNear(from, to) ?? usual
    const endingOf = fitEndings({ find: this.text.slice(from, to), text }, { own, near })
    return groupRuns(text, index => said[index] ?? endingOf(index))
  }

  #endingsIn(from: number, to: number): readonly Ending[] {
    const endings: Ending[] = []
    let feed = this.text.indexOf('\n', from)
    for (; feed >= 0 && feed < to; feed = this.text.indexOf('\n', feed + 1)) {
      endings.push(this.endingAt(feed))
    }
    const isInsideLine = !this.#isLineStart(from) || !this.#isLineEnd(to)
    if (isInsideLine && feed >= 0 && this.text[to - 1] !== '\n') endings.push(this.endingAt(feed))
    return endings
  }

  #endingBefore(from: number): Ending | undefined {
    const before = from === 0 ? -1 : this.text.lastIndexOf('\n', from - 1)
    return before < 0 ? undefined : this.endingAt(before)
  }

  #endingNear(from: number, to: number): Ending | undefined {
    const after = this.text.indexOf('\n', to)
    return this.#endingBefore(from) ?? (after < 0 ? undefined : this.endingAt(after))
  }

  /** The ending of the break that stands at an offset of the current text. */
  endingAt(feed: number): Ending {
    const piece = this.#state.pieces[lastAtMost(this.#pieceStarts(), feed)]
    if (piece?.insert !== undefined) return piece.insert.ending
    return this.file.lines.endingOf(this.lineAt(feed))
  }

  #pieceStarts(): Float64Array {
    if (this.#starts === undefined) {
      const { pieces } = this.#state
      this.#starts = new Float64Array(pieces.length)
      let at = 0
      for (const [index, piece] of pieces.entries()) {
        this.#starts[index] = at
        at += pieceLength(piece)
      }
    }
    return this.#starts
  }
}

/** Cuts a text after its breaks wherever the next break takes another ending. */
function groupRuns(text: string, endingOf: (index: number) => Ending): readonly Run[] {
  const runs: { text: string; ending: Ending }[] = []
  for (const [index, line] of text.split(/(?<=\n)/).entries()) {
    const last = runs.at(-1)
    if (last !== undefined && (last.ending === endingOf(index) || !line.endsWith('\n'))) {
      last.text += line
    } else {
      runs.push({ text: line, ending: endingOf(index) })
    }
  }
  return runs
}

function isEmpty(piece: Piece): boolean {
  return pieceLength(piece) === 0
}

function withEnding(text: string, ending: Ending): string {
  return ending === '\n' ? text : text.replaceAll('\n', ending)
}

function isSameStretch(bytes: Uint8Array, { from, to }: Stretch, insert: Uint8Array): boolean {
  return to - from === insert.length && insert.every((byte, index) => byte === bytes[from + index])
}
