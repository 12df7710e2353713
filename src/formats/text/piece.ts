import type { Ending } from './line-index.js'

/** A half-open stretch of characters. */
export interface Stretch {
  readonly from: number
  readonly to: number
}

/** Text that an op put in. Its breaks are LF and become `ending` in the file. */
export interface Insert {
  readonly text: string
  readonly ending: Ending
  /** The op that wrote it. */
  readonly owner: number
  /** The stretch of the original that the op replaced, for reports. */
  readonly replaces: Stretch
}

/**
 * A part of the current text. Pieces cover the original from end to end: one that was kept covers
 * itself, one that was put in covers what it replaced (an empty stretch where that was nothing).
 */
export interface Piece extends Stretch {
  readonly insert?: Insert
}

/** Text with the ending that its breaks take. */
export interface Run {
  readonly text: string
  readonly ending: Ending
}

/** A stretch of the current text to be replaced by runs, at least one, which may be empty. */
export interface Splice extends Stretch {
  readonly runs: readonly Run[]
}

/** Characters of the current text that a piece holds. */
export function pieceLength(piece: Piece): number {
  return piece.insert === undefined ? piece.to - piece.from : piece.insert.text.length
}

/** What was put in without anything kept between, as one stretch of the original. */
export function* insertGroups(
  pieces: readonly Piece[],
): Generator<Stretch & { readonly inserts: readonly Insert[] }> {
  let group: { from: number; to: number; inserts: Insert[] } | undefined
  for (const { from, to, insert } of pieces) {
    if (insert === undefined) {
      if (group !== undefined) yield group
      group = undefined
    } else {
      group ??= { from, to, inserts: [] }
      group.to = to
      group.inserts.push(insert)
    }
  }
  if (group !== undefined) yield group
}

/** Puts the splices, sorted and disjoint, into the pieces; says which stretches of the original they touched. */
export function splicePieces(
  pieces: readonly Piece[],
  splices: readonly Splice[],
  owner: number,
): { readonly pieces: readonly Piece[]; readonly touched: readonly Stretch[] } {
  const rest: Cursor = { pieces, index: 0, piece: pieces[0], at: 0 }
  const done: Piece[] = []
  const touched: Stretch[] = []
  const traced = new Set([owner])
  for (const splice of splices) {
    takeUntil(rest, splice.from, done)
    takeEmpty(rest, done)
    const removed: Piece[] = []
    takeUntil(rest, splice.to, removed)
    const border = done.at(-1)?.to ?? 0
    const replaces = extent(removed.map(replacedBy), border)
    for (const piece of putIn(splice.runs, owner, replaces, extent(removed, border))) {
      done.push(piece)
    }
    for (const trace of traces(removed, traced)) done.push(trace)
    touched.push(replaces)
  }
  takeUntil(rest, Number.POSITIVE_INFINITY, done)
  return { pieces: done, touched }
}

/** A place between lines of the original, or a stretch of them, as the pieces hold it now. */
export interface Place {
  readonly index: number
  /** Where it begins in the current text. */
  readonly at: number
}

/**
 * Finds a stretch of the original that is still whole; an empty one is a place between pieces or
 * inside a kept one. Undefined where an op has touched it. Of several inserts at one place the
 * next one comes last; of an insert and a replacement that begins there, the insert comes first.
 */
export function findUntouched(pieces: readonly Piece[], { from, to }: Stretch): Place | undefined {
  let at = 0
  for (const [index, piece] of pieces.entries()) {
    if (piece.to > from) {
      const isBorder = from === to && piece.from === from
      const isWhole = piece.insert === undefined && piece.to >= to
      return isBorder || isWhole ? { index, at: at + from - piece.from } : undefined
    }
    at += pieceLength(piece)
  }
  return from === to ? { index: pieces.length, at } : undefined
}

/** Replaces a stretch that `findUntouched` found. */
export function replaceUntouched(
  pieces: readonly Piece[],
  place: Place,
  stretch: Stretch,
  runs: readonly Run[],
  owner: number,
): readonly Piece[] {
  const piece = pieces[place.index]
  const put = putIn(runs, owner, stretch, stretch)
  if (piece === undefined || (stretch.from === stretch.to && piece.from === stretch.from)) {
    return pieces.toSpliced(place.index, 0, ...put)
  }
  const head = { from: piece.from, to: stretch.from }
  const tail = { from: stretch.to, to: piece.to }
  const kept = (part: Stretch): readonly Piece[] => (part.from < part.to ? [part] : [])
  return pieces.toSpliced(place.index, 1, ...kept(head), ...put, ...kept(tail))
}

/** The first run covers what was replaced, the others nothing behind it. */
function putIn(
  runs: readonly Run[],
  owner: number,
  replaces: Stretch,
  { from, to }: Stretch,
): readonly Piece[] {
  return runs.map((run, index) => ({
    from: index === 0 ? from : to,
    to,
    insert: { ...run, owner, replaces },
  }))
}

/** An empty piece for each earlier op that loses text here for the first time, so that it can still be told where it worked. */
function traces(removed: readonly Piece[], traced: Set<number>): readonly Piece[] {
  const border = removed.at(-1)?.to ?? 0
  const pieces: Piece[] = []
  for (const { insert } of removed) {
    if (insert === undefined || traced.has(insert.owner)) continue
    traced.add(insert.owner)
    pieces.push({ from: border, to: border, insert: { ...insert, text: '' } })
  }
  return pieces
}

function replacedBy(piece: Piece): Stretch {
  return piece.insert?.replaces ?? piece
}

function extent(stretches: readonly Stretch[], otherwise: number): Stretch {
  if (stretches.length === 0) return { from: otherwise, to: otherwise }
  return {
    from: stretches.reduce((least, { from }) => Math.min(least, from), Number.POSITIVE_INFINITY),
    to: stretches.reduce((most, { to }) => Math.max(most, to), 0),
  }
}

/** Where a pass over the pieces has come to; `piece` is what is left of the one it stands in. */
interface Cursor {
  readonly pieces: readonly Piece[]
  index: number
  piece: Piece | undefined
  at: number
}

/** Takes all before an offset, splitting the piece that crosses it. */
function takeUntil(cursor: Cursor, end: number, into: Piece[]): void {
  while (cursor.piece !== undefined && cursor.at < end) {
    const room = end - cursor.at
    if (pieceLength(cursor.piece) <= room) {
      take(cursor, into)
    } else {
      const [head, tail] = splitPiece(cursor.piece, room)
      into.push(head)
      cursor.piece = tail
      cursor.at = end
    }
  }
}

/** Takes the pieces without text that stand right here. */
function takeEmpty(cursor: Cursor, into: Piece[]): void {
  while (cursor.piece !== undefined && pieceLength(cursor.piece) === 0) take(cursor, into)
}

function take(cursor: Cursor, into: Piece[]): void {
  if (cursor.piece === undefined) return
  into.push(cursor.piece)
  cursor.at += pieceLength(cursor.piece)
  cursor.index += 1
  cursor.piece = cursor.pieces[cursor.index]
}

/** The first part of what was put in keeps covering what it replaced. */
function splitPiece(piece: Piece, length: number): readonly [Piece, Piece] {
  const { from, to, insert } = piece
  if (insert === undefined) {
    return [
      { from, to: from + length },
      { from: from + length, to },
    ]
  }
  return [
    { from, to, insert: { ...insert, text: insert.text.slice(0, length) } },
    { from: to, to, insert: { ...insert, text: insert.text.slice(length) } },
  ]
}
