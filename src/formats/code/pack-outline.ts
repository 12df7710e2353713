import {
  type CodeSymbol,
  type Outline,
  type SymbolFlag,
  type SyntaxErrors,
  symbolFlags,
  symbolKinds,
} from '../../core/outline.js'
import type { PackedOutline } from '../../core/parsers.js'

/**
 * Symbols in one flat list, each before its children: name, kind, flags as bits, start; end, name and comment relative
 * to the start; how many children follow. A list for each symbol would take the reader twice as long.
 */
type Cells = readonly (string | number)[]

/** Language, parser, note or 0, errors or 0. */
type Head = readonly [string, string, string | 0, PackedErrors | 0]

type PackedErrors = readonly [number, readonly number[], 0 | 1, 0 | 1]

const kindNumbers = new Map(symbolKinds.map((kind, number) => [kind, number]))

/** Writes an outline as one line: two texts of JSON, what it says of the file and its symbols, with a tab between. */
export function packOutline(outline: Outline): PackedOutline {
  const { language, parser, note, errors, symbols } = outline
  const head: Head = [language, parser, note ?? 0, errors === undefined ? 0 : packErrors(errors)]
  const cells = packSymbols(symbols, [])
  return `${JSON.stringify(head)}\t${JSON.stringify(cells)}` as PackedOutline
}

/**
 * Reads what `packOutline` wrote, the symbols when they are first asked for: who wants to know of errors, or looks
 * through thousands of outlines, asks for few. The line is ours; whoever keeps it proves that it is whole.
 */
export function unpackOutline(line: PackedOutline): Outline {
  const tab = line.indexOf('\t')
  const [language, parser, note, errors]: Head = JSON.parse(line.slice(0, tab))
  let symbols: readonly CodeSymbol[] | undefined
  return {
    language,
    parser: parser as Outline['parser'],
    ...(note !== 0 && { note: note as NonNullable<Outline['note']> }),
    ...(errors !== 0 && { errors: unpackErrors(errors) }),
    get symbols() {
      symbols ??= unpackSymbols(JSON.parse(line.slice(tab + 1)))
      return symbols
    },
  }
}

/** Why a packed outline is less than it could be; undefined where it is not. */
export function packedNote(line: PackedOutline): string | undefined {
  return /^\["[^"]*","[^"]*","([^"]*)"/.exec(line)?.[1]
}

function packErrors({ count, lines, certain, fatal }: SyntaxErrors): PackedErrors {
  return [count, lines, certain ? 1 : 0, fatal ? 1 : 0]
}

function unpackErrors([count, lines, certain, fatal]: PackedErrors): SyntaxErrors {
  return { count, lines, certain: certain === 1, fatal: fatal === 1 }
}

function packSymbols(symbols: readonly CodeSymbol[], cells: (string | number)[]): Cells {
  for (const symbol of symbols) {
    const { name, start_line: start, end_line: end, name_line: nameLine, children } = symbol
    const doc = symbol.doc_start_line ?? start
    const kind = kindNumbers.get(symbol.kind) ?? -1
    const bits = bitsOf(symbol.flags)
    cells.push(name, kind, bits, start, end - start, nameLine - start, start - doc, children.length)
    packSymbols(children, cells)
  }
  return cells
}

function bitsOf(flags: readonly SymbolFlag[]): number {
  let bits = 0
  for (const flag of flags) bits |= 1 << symbolFlags.indexOf(flag)
  return bits
}

function unpackSymbols(cells: Cells): readonly CodeSymbol[] {
  const symbols: CodeSymbol[] = []
  const place = { at: 0 }
  while (place.at < cells.length) symbols.push(unpackNext(cells, place))
  return symbols
}

const noChildren: readonly CodeSymbol[] = []

function unpackNext(cells: Cells, place: { at: number }): CodeSymbol {
  const { at } = place
  place.at = at + 8
  const start = Number(cells[at + 3])
  const doc = Number(cells[at + 6])
  const symbol = {
    name: String(cells[at]),
    kind: symbolKinds[Number(cells[at + 1])] ?? 'const',
    flags: flagsOf(Number(cells[at + 2])),
    start_line: start,
    end_line: start + Number(cells[at + 4]),
    name_line: start + Number(cells[at + 5]),
    children: unpackChildren(cells, Number(cells[at + 7]), place),
  }
  return doc > 0 ? { ...symbol, doc_start_line: start - doc } : symbol
}

function unpackChildren(cells: Cells, count: number, place: { at: number }): readonly CodeSymbol[] {
  if (count === 0) return noChildren
  const children: CodeSymbol[] = []
  for (let left = count; left > 0; left -= 1) children.push(unpackNext(cells, place))
  return children
}

/** The few sets that there are, by their bits. */
const flagSets: (readonly SymbolFlag[] | undefined)[] = []

function flagsOf(bits: number): readonly SymbolFlag[] {
  const flags = flagSets[bits] ?? symbolFlags.filter((_, bit) => (bits & (1 << bit)) !== 0)
  flagSets[bits] = flags
  return flags
}
