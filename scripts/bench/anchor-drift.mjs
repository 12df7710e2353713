// What becomes of the anchors of one revision of a file in a later one, and what they cost to read.
import { diffArrays } from 'diff'
import {
  anchorAt,
  anchoredText,
  anchorRules,
  findMoved,
  fitsAnchor,
  parseAnchor,
} from '#src/formats/text/anchors.js'

/** @typedef {import('#src/formats/text/text-file.js').TextFile} TextFile */
/** @typedef {keyof typeof anchorRules} Scheme */

/** Edits above which a pair of texts is not compared line by line. */
const maxEditLength = 3_000

/**
 * What each anchor of the earlier text does in the later one:
 * - `valid`: it fits, and the line that stands there is that line;
 * - `twin`: it fits another line of the same text, while its own has gone elsewhere or away;
 * - `wrong`: it fits a line of another text;
 * - `shifted by block`, `shifted by line`: refused, and the fresh anchor that is told is that of its line;
 * - `twin by block`, `twin by line`: the same, but of another line of the same text;
 * - `misled`: refused, with the anchor of a line of another text;
 * - `ambiguous`: refused, with several candidates;
 * - `refused`: refused, with the lines that stand there.
 * Undefined for a pair that is too different to say which line is which.
 * @param {TextFile} read
 * @param {TextFile} now
 * @param {Scheme} scheme
 * @param {readonly (number | undefined)[]} places
 * @returns {ReadonlyMap<string, number>}
 */
export function driftOf(read, now, scheme, places) {
  /** @type {Map<string, number>} */
  const counts = new Map()
  for (let line = 1; line <= read.lines.count; line += 1) {
    const fate = fateOf(read, now, scheme, line, places[line - 1])
    counts.set(fate, (counts.get(fate) ?? 0) + 1)
  }
  return counts
}

/**
 * @param {TextFile} read
 * @param {TextFile} now
 * @param {Scheme} scheme
 * @param {number} line
 * @param {number | undefined} place
 */
function fateOf(read, now, scheme, line, place) {
  const rules = anchorRules[scheme]
  const anchor = parseAnchor(anchorAt(read, line, rules), rules)
  if (anchor === undefined) throw new Error('an anchor of the view cannot be read')
  if (fitsAnchor(now, anchor, rules)) {
    if (!sameText(read, line, now, line)) return 'wrong'
    return place === line ? 'valid' : 'twin'
  }
  const { lines, proof } = findMoved(now, anchor, rules)
  const [only] = lines
  if (only === undefined) return 'refused'
  if (lines.length > 1) return 'ambiguous'
  if (!sameText(read, line, now, only)) return 'misled'
  return place === only ? `shifted by ${proof}` : `twin by ${proof}`
}

/**
 * Where each line of the earlier text stands in the later one; undefined for those that are gone, and for all
 * where the texts are too different.
 * @param {TextFile} read
 * @param {TextFile} now
 * @returns {readonly (number | undefined)[] | undefined}
 */
export function placesOf(read, now) {
  const [old, young] = [foldedLines(read), foldedLines(now)]
  const parts = diffArrays(old, young, { maxEditLength })
  if (parts === undefined) return undefined
  /** @type {(number | undefined)[]} */
  const places = []
  let at = 1
  for (const { count, added, removed } of parts) {
    for (let index = 0; index < count; index += 1) {
      if (removed) places.push(undefined)
      else if (!added) places.push(at + index)
    }
    if (!removed) at += count
  }
  return places
}

/**
 * What the lines of a text cost to read, in bytes and characters: as they are, after numbers, and after anchors.
 * @param {TextFile} file
 * @returns {Readonly<Record<string, { readonly bytes: number, readonly characters: number }>>}
 */
export function readCosts(file) {
  const numbers = Array.from({ length: file.lines.count }, (_, index) => index + 1)
  /** @param {(line: number) => string} shown */
  const cost = shown => {
    const text = numbers.map(shown).join('\n')
    return { bytes: Buffer.byteLength(text), characters: text.length }
  }
  return {
    plain: cost(line => lineOf(file, line)),
    numbered: cost(line => `${line}\t${lineOf(file, line)}`),
    content: cost(line => anchoredText(file, line, anchorRules.content)),
    chunk: cost(line => anchoredText(file, line, anchorRules.chunk)),
    checkpoint: cost(line => anchoredText(file, line, anchorRules.checkpoint)),
  }
}

/**
 * Equal but for white space, which no anchor sees.
 * @param {TextFile} one
 * @param {number} line
 * @param {TextFile} other
 * @param {number} otherLine
 */
function sameText(one, line, other, otherLine) {
  return fold(lineOf(one, line)) === fold(lineOf(other, otherLine))
}

/** @param {TextFile} file */
function foldedLines(file) {
  return Array.from({ length: file.lines.count }, (_, index) => fold(lineOf(file, index + 1)))
}

/** @param {string} line */
function fold(line) {
  return line.trim().replace(/[ \t\n\f\r]+/g, ' ')
}

/**
 * @param {TextFile} file
 * @param {number} line
 */
function lineOf({ text, lines }, line) {
  return text.slice(lines.startOf(line), lines.endOf(line))
}
