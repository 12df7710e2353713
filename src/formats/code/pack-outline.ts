import {
  type CodeSymbol,
  type Outline,
  type SyntaxErrors,
  symbolFlags,
  symbolKinds,
} from '../../core/outline.js'
import type { PackedOutline } from '../../core/parsers.js'

/** Name, kind, flags as bits, start; end, name and comment relative to the start; children where there are any. */
type Row = readonly [string, number, number, number, number, number, number, (readonly Row[])?]

/** Language, parser, note or 0, errors or 0, symbols. */
type Packed = readonly [string, string, string | 0, PackedErrors | 0, readonly Row[]]

type PackedErrors = readonly [number, readonly number[], 0 | 1, 0 | 1]

const kindNumbers = new Map(symbolKinds.map((kind, number) => [kind, number]))

/** Writes an outline as one line of JSON, without the break. */
export function packOutline(outline: Outline): PackedOutline {
  const { language, parser, note, errors, symbols } = outline
  const packed: Packed = [
    language,
    parser,
    note ?? 0,
    errors === undefined ? 0 : packErrors(errors),
    symbols.map(packSymbol),
  ]
  return JSON.stringify(packed) as PackedOutline
}

/** Reads what `packOutline` wrote. The line is ours; whoever keeps it proves that it is whole. */
export function unpackOutline(line: PackedOutline): Outline {
  const [language, parser, note, errors, rows]: Packed = JSON.parse(line)
  return {
    language,
    parser: parser as Outline['parser'],
    ...(note !== 0 && { note: note as NonNullable<Outline['note']> }),
    ...(errors !== 0 && { errors: unpackErrors(errors) }),
    symbols: rows.map(unpackSymbol),
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

function packSymbol(symbol: CodeSymbol): Row {
  const { name, start_line: start, children } = symbol
  const kind = kindNumbers.get(symbol.kind) ?? -1
  let flags = 0
  for (const flag of symbol.flags) flags |= 1 << symbolFlags.indexOf(flag)
  const end = symbol.end_line - start
  const nameLine = symbol.name_line - start
  const doc = start - (symbol.doc_start_line ?? start)
  return children.length === 0
    ? [name, kind, flags, start, end, nameLine, doc]
    : [name, kind, flags, start, end, nameLine, doc, children.map(packSymbol)]
}

function unpackSymbol([name, kind, flags, start, end, nameLine, doc, rows]: Row): CodeSymbol {
  return {
    name,
    kind: symbolKinds[kind] ?? 'const',
    flags: symbolFlags.filter((_, bit) => (flags & (1 << bit)) !== 0),
    start_line: start,
    end_line: start + end,
    name_line: start + nameLine,
    ...(doc > 0 && { doc_start_line: start - doc }),
    children: (rows ?? []).map(unpackSymbol),
  }
}
