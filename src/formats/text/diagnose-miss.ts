import { excerptLine, excerptPassage, showHidden } from './excerpt.js'
import { findExact } from './find-exact.js'
import { foldConfusables } from './fold-confusables.js'
import type { Haystack, Wanted } from './haystack.js'
import { lineOf, nearestWindows } from './nearest-windows.js'

/** What to say when a text was not found. Lines are numbered as the agent knows them. */
export interface Miss {
  /** What is most like the wanted text, best first. */
  readonly candidates: readonly MissCandidate[]
  /** The first line of the best candidate that is not as wanted. */
  readonly first_divergence?: Divergence
  /** The replacing text stands in the file, and it says enough to be no chance: the edit may have been made before. */
  readonly already_present: boolean
  readonly hint?: MissHint
}

export interface MissCandidate {
  readonly start_line: number
  readonly end_line: number
  /** From 0 to 1. */
  readonly score: number
  readonly text: string
}

/** Both lines, plain and with what hides made visible; null past the end of the file, and where it should have ended. */
export interface Divergence {
  readonly line: number
  readonly expected: string | null
  readonly actual: string | null
  readonly expected_visible: string | null
  readonly actual_visible: string | null
}

/** What alone would have to change for the text to be found. */
export type MissHint = 'whitespace' | 'confusables' | 'letter_case' | 'line_numbers' | 'escapes'

const maxCandidates = 3

/** Lines around a window that a hint may need, where the wanted text leaves out blank ones. */
const extraLines = 5

/** Characters of a candidate that are looked at for a hint. */
const foldedChars = 20_000

/** Explains a miss, in time linear in the file. */
export function diagnoseMiss(haystack: Haystack, { find, replacement }: Wanted): Miss {
  const { text } = haystack
  const { starts } = haystack.table
  const wanted = find.endsWith('\n') ? find.slice(0, -1).split('\n') : find.split('\n')
  const windows = nearestWindows(text, starts, wanted).slice(0, maxCandidates)
  const passage: Passage = (from, to) =>
    starts
      .slice(Math.max(0, from), to)
      .map((_, index) => lineOf(text, starts, Math.max(0, from) + index))
  const lineNumber = (line: number): number => haystack.lineAt(starts[line] ?? text.length)
  const nearby = windows.map(({ start }) => surroundings(passage, start, start + wanted.length))
  const hint = findHint(haystack, find, nearby)
  const divergence = windows[0] && findDivergence(find, wanted, passage, windows[0].start)
  return {
    candidates: windows.map(({ start, score }) => ({
      start_line: lineNumber(start),
      end_line: lineNumber(Math.min(start + wanted.length, starts.length) - 1),
      score,
      text: excerptPassage(passage(start, start + wanted.length)),
    })),
    ...(divergence && {
      first_divergence: { line: lineNumber(divergence.at), ...divergence.lines },
    }),
    already_present: isMade(haystack, find, replacement),
    ...(hint && { hint }),
  }
}

/** Lines of the file, from 0, half-open, without their breaks. */
type Passage = (from: number, to: number) => readonly string[]

function surroundings(passage: Passage, from: number, to: number): string {
  return passage(from - extraLines, to + extraLines)
    .join('\n')
    .slice(0, foldedChars)
}

/** Letters and digits of a text that is no chance wherever it stands, and of one that is none where it stands once. */
const tellingCharacters = 16
const tellingOnce = 4

/** True where the new text stands in the file and that means something: not of a brace, nor of a part of the old text. */
function isMade(haystack: Haystack, find: string, replacement: string | undefined): boolean {
  if (replacement === undefined || find.includes(replacement)) return false
  const lines = replacement.split('\n').map(line => line.replace(/[^\p{L}\p{N}]+/gu, ''))
  const letters = lines.join('').length
  if (letters >= tellingCharacters) return countOf(haystack, replacement) > 0
  const isTelling = letters >= tellingOnce || lines.filter(line => line !== '').length > 1
  return isTelling && countOf(haystack, replacement) === 1
}

/** How often a text stands in the file; 2 for more. */
function countOf({ text, table }: Haystack, sought: string): number {
  return findExact(text, table.starts, sought, { limit: 2, overlap: 'dropped' }).length
}

interface PlacedDivergence {
  readonly at: number
  readonly lines: Omit<Divergence, 'line'>
}

function findDivergence(
  find: string,
  wanted: readonly string[],
  passage: Passage,
  start: number,
): PlacedDivergence | undefined {
  const actual = passage(start, start + wanted.length)
  for (const [index, expected] of wanted.entries()) {
    const line = actual[index]
    const isCut = index === wanted.length - 1 && !find.endsWith('\n')
    if (line === undefined || !agrees(expected, line, index === 0, isCut)) {
      return { at: start + index, lines: compareLines(expected, line) }
    }
  }
  return undefined
}

/** The wanted text may begin inside its first line and end inside its last. */
function agrees(expected: string, actual: string, isFirst: boolean, isCut: boolean): boolean {
  if (isFirst && isCut) return actual.includes(expected)
  if (isFirst) return actual.endsWith(expected)
  return isCut ? actual.startsWith(expected) : actual === expected
}

/** Long lines are shown from a little before the place where they part. */
function compareLines(expected: string, actual: string | undefined): Omit<Divergence, 'line'> {
  const parting = commonStart(expected, actual ?? '')
  const from = parting > 150 ? parting - 50 : 0
  const shown = actual?.slice(from)
  return {
    expected: excerptLine(expected.slice(from)),
    actual: shown === undefined ? null : excerptLine(shown),
    expected_visible: showHidden(expected.slice(from)),
    actual_visible: shown === undefined ? null : showHidden(shown),
  }
}

function commonStart(one: string, other: string): number {
  const length = Math.min(one.length, other.length)
  let at = 0
  while (at < length && one[at] === other[at]) at += 1
  return at
}

/** Ways in which a text is often miscopied, each undone on both sides. */
const foldings: readonly (readonly [MissHint, (text: string) => string])[] = [
  ['whitespace', text => text.replace(/\s+/gu, '')],
  ['confusables', foldLenient],
  ['letter_case', text => text.toLowerCase()],
]

function findHint(
  haystack: Haystack,
  find: string,
  nearby: readonly string[],
): MissHint | undefined {
  for (const [hint, fold] of foldings) {
    const folded = fold(find)
    if (folded !== '' && nearby.some(passage => fold(passage).includes(folded))) return hint
  }
  const isPresentAs = (plain: string): boolean =>
    plain !== find && plain.trim() !== '' && countOf(haystack, plain) > 0
  if (isPresentAs(withoutLineNumbers(find))) return 'line_numbers'
  return isPresentAs(withoutEscapes(find)) ? 'escapes' : undefined
}

/** As some views show lines: `12<tab>code`, `12|code`, `12: code`. */
function withoutLineNumbers(find: string): string {
  const lines = find.split('\n')
  const number = /^[ \t]*\d+[\t|:] ?/
  if (!lines.every(line => line === '' || number.test(line))) return find
  return lines.map(line => line.replace(number, '')).join('\n')
}

function withoutEscapes(find: string): string {
  const meanings = new Map([
    ['\\n', '\n'],
    ['\\t', '\t'],
  ])
  return find.replace(/\\[nt"'`\\]/g, code => meanings.get(code) ?? code.slice(1))
}

/** For a hint more is folded than for a match. */
function foldLenient(text: string): string {
  return foldConfusables(text.normalize('NFKC'))
    .replaceAll('`', "'")
    .replace(/\p{Cf}/gu, '')
}
