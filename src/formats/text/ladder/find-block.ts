import { alignLines, type LineHunk } from '../align-lines.js'
import { type ComparedLine, compareLine } from '../common-characters.js'
import { indentOf, trimLine } from '../indent.js'
import { lastAtMost } from '../line-index.js'
import type { LineTable } from '../line-table.js'
import type { WhiteSpace } from '../white-space.js'
import { normalise } from './find-lines.js'
import { type IndentPair, keepsStructure } from './find-shifted.js'
import type { Candidate, LineSearch } from './level.js'

/** By how much the best block must be more alike than the second best. */
const leastLead = 0.1

/** What a middle must be alike by where lines that go together hold other numbers: siblings mostly differ in them. */
const leastNumberedSimilarity = 0.9

/** Lines that are less alike are not the same line. */
const leastLineSimilarity = 0.6

/** A block may hold at most so many times the characters of the wanted one. */
const mostGrowth = 4

/**
 * `block_anchor`: a block whose first and last line are as wanted but for the white space around
 * them, stand to each other as deep as wanted, and whose middle is alike by at least the least
 * similarity, though there be no other block; by 0.9 where a line holds other numbers than its wanted
 * one, as the next of several siblings does. Half to twice as many lines. The best block must lead
 * the second by 0.1, whatever the second is worth, else both are answered. Alone it accepts a block
 * of which one line in the middle was misremembered.
 *
 * Similarity is twice the characters that both middles have in common over all their characters,
 * every line counting one more: lines are paired in order so that most is common, a pair counts
 * only if its lines are alike by 0.6, and a line counts by its common subsequence. White space
 * around lines is nothing, a run of it inside one space.
 */
export function findBlock(search: LineSearch): readonly Candidate[] {
  const { wanted } = search
  const middle = wanted.slice(1, -1)
  if (middle.every(line => trimLine(line) === '')) return []
  const comparison = new BlockComparison(search)
  const scored: Candidate[] = []
  for (const block of anchoredBlocks(search)) scored.push(comparison.score(block))
  const [best, second] = scored.toSorted((a, b) => similarityOf(b) - similarityOf(a))
  if (best === undefined || similarityOf(best) < search.minSimilarity) return []
  if (similarityOf(best) < leastNumberedSimilarity && holdsOtherNumbers(search, best)) return []
  const leads = second === undefined || similarityOf(best) - similarityOf(second) >= leastLead
  if (!leads) return [best, second].toSorted((a, b) => a.start - b.start)
  return isSound(search, best) ? [best] : []
}

function similarityOf({ similarity = 0 }: Candidate): number {
  return similarity
}

function holdsOtherNumbers({ table, wanted }: LineSearch, { lines }: Candidate): boolean {
  const numbers = (line: string): string => (line.match(/\d+/g) ?? []).join(' ')
  return wanted.some((line, index) => {
    const actual = lines[index]
    return actual !== undefined && numbers(line) !== numbers(table.line(actual))
  })
}

interface Block {
  readonly start: number
  readonly end: number
}

/** Blocks of a fitting length between lines that are as the first and the last wanted one. */
function* anchoredBlocks({ table, wanted, budget }: LineSearch): Generator<Block> {
  const [first, last] = [wanted[0] ?? '', wanted.at(-1) ?? '']
  if (trimLine(first) === '' || trimLine(last) === '') return
  const starts = linesLike(table, trimLine(first))
  const ends = starts.length === 0 ? [] : linesLike(table, trimLine(last))
  const size = wanted.length
  const depth = Math.sign(indentOf(last).length - indentOf(first).length)
  for (const start of starts) {
    const least = start + Math.ceil(size / 2)
    const most = start + Math.max(size + 3, size * 2) - 1
    for (let at = lastAtMost(ends, least - 2) + 1; at < ends.length; at += 1) {
      const end = (ends[at] ?? 0) + 1
      if (end > most) break
      budget.spend(1)
      const actual = Math.sign(table.indent(end - 1).length - table.indent(start).length)
      if (end - start > 2 && actual === depth) yield { start, end }
    }
  }
}

function linesLike(table: LineTable, trimmed: string): readonly number[] {
  const lines: number[] = []
  for (let line = 0; line < table.count; line += 1) {
    if (table.isTrimmed(line, trimmed)) lines.push(line)
  }
  return lines
}

/** The middle of the wanted lines, ready to be compared with many blocks. */
class BlockComparison {
  readonly #search: LineSearch
  readonly #wanted: readonly string[]
  readonly #compared: readonly ComparedLine[]
  readonly #keys = new Map<number, string>()
  readonly #worth = new Map<string, number>()

  constructor(search: LineSearch) {
    this.#search = search
    this.#wanted = search.wanted.slice(1, -1).map(normalise)
    this.#compared = this.#wanted.map(compareLine)
  }

  score({ start, end }: Block): Candidate {
    const wanted = this.#wanted
    const first = start + 1
    const { budget } = this.#search
    const actual = Array.from({ length: end - 1 - first }, (_, index) => this.#key(first + index))
    budget.spend(wanted.length + actual.length)
    const pairs = alignLines({
      before: wanted.length,
      after: actual.length,
      isEqual: (line, other) => wanted[line] === actual[other],
      worth: (line, other) => this.#worthOf(line, actual[other] ?? ''),
      affords: cells => {
        budget.spend(cells)
        return true
      },
    })
    let common = 0
    for (const [line, other] of pairs.entries()) {
      if (other !== undefined) common += this.#worthOf(line, actual[other] ?? '')
    }
    return {
      start,
      end,
      lines: [start, ...pairs.map(pair => (pair === undefined ? pair : first + pair)), end - 1],
      similarity: (2 * common) / (weightOf(wanted) + weightOf(actual)),
    }
  }

  #key(line: number): string {
    const known = this.#keys.get(line)
    if (known !== undefined) return known
    const key = normalise(this.#search.table.trimmed(line))
    this.#keys.set(line, key)
    return key
  }

  #worthOf(line: number, actual: string): number {
    const wanted = this.#wanted[line] ?? ''
    if (wanted === actual) return wanted.length + 1
    const size = wanted.length + actual.length
    const isHopeless = 2 * Math.min(wanted.length, actual.length) < leastLineSimilarity * size
    if (isHopeless) return 0
    const question = `${line} ${actual}`
    const known = this.#worth.get(question)
    if (known !== undefined) return known
    const compared = this.#compared[line]
    this.#search.budget.spend(compared?.stepsFor(actual) ?? 0)
    const common = compared?.commonWith(actual) ?? 0
    const worth = 2 * common < leastLineSimilarity * size ? 0 : common + 1
    this.#worth.set(question, worth)
    return worth
  }
}

function weightOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0)
}

/**
 * True where the edit can be made on the block without guessing: it changes only lines that both
 * sides know, nothing grew beyond measure, and what is white space with a meaning is as wanted.
 */
function isSound(search: LineSearch, { start, end, lines }: Candidate): boolean {
  const { table, wanted, whiteSpace, hunks } = search
  const block = Array.from({ length: end - start }, (_, index) => table.trimmed(start + index))
  if (weightOf(block) > mostGrowth * weightOf(wanted.map(trimLine))) return false
  const pairs = wanted.flatMap((line, index): readonly IndentPair[] => {
    const actual = lines[index]
    if (actual === undefined || trimLine(line) === '') return []
    return [{ wanted: indentOf(line), actual: table.indent(actual) }]
  })
  const isKept = wanted.every((line, index) => {
    const actual = lines[index]
    return (
      actual === undefined || table.line(actual) === line || !whiteSpace.isLiteral(table, actual)
    )
  })
  return isKept && fitsIndentation(whiteSpace, pairs) && changesKnownLines(lines, hunks)
}

function fitsIndentation({ indentation }: WhiteSpace, pairs: readonly IndentPair[]): boolean {
  if (indentation === 'free') return true
  if (indentation === 'relative') return keepsStructure(pairs)
  return pairs.every(({ wanted, actual }) => wanted === actual)
}

/** True where every hunk takes lines in a row, or puts some between two neighbours. */
function changesKnownLines(
  lines: readonly (number | undefined)[],
  hunks: readonly LineHunk[],
): boolean {
  return hunks.every(({ oldStart, oldEnd }) => {
    const isInsert = oldStart === oldEnd
    const touched = isInsert
      ? lines.slice(Math.max(0, oldStart - 1), oldEnd + 1)
      : lines.slice(oldStart, oldEnd)
    const first = touched[0]
    return first !== undefined && touched.every((line, index) => line === first + index)
  })
}
