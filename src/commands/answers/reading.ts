import { z } from 'zod'
import { parserNames, symbolFlags, symbolKinds } from '../../core/outline.js'
import type { ToldSymbol } from '../../report/symbols-view.js'

const outlineNotes = [
  'syntax_errors',
  'too_complex',
  'too_large',
  'minified',
  'unknown_language',
] as const

const fileKinds = [
  ...(['archive', 'binary', 'database', 'font', 'image'] as const),
  ...(['media', 'minified', 'office', 'pdf', 'program'] as const),
] as const

const goOn = z.string().exactOptional().describe('How to get what was left out.')

// A getter that may be absent is told by zod as always there, so the type is said here.
const toldSymbol: z.ZodType<ToldSymbol> = z
  .object({
    name: z.string(),
    kind: z.enum(symbolKinds),
    start_line: z.int(),
    end_line: z.int().describe('Included.'),
    flags: z.array(z.enum(symbolFlags)).exactOptional(),
    get children() {
      return z.array(toldSymbol).exactOptional()
    },
  })
  .meta({
    id: 'ToldSymbol',
    description: 'One declaration; the lines are those of its whole statement.',
  })

const oneFile = z
  .object({
    path: z.string(),
    rev: z.string().describe('The revision that an edit must name.'),
    mode: z.enum(['100644', '100755', '120000', '160000']),
    encoding: z.enum(['utf-8', 'utf-8-bom', 'utf-16le', 'utf-16be', 'binary']),
    eol: z.enum(['lf', 'crlf', 'cr', 'mixed', 'none']),
    bytes: z.int().describe('Length of the whole file.'),
    total_lines: z.int(),
    start_line: z.int().describe('The first line answered.'),
    end_line: z.int().describe('The last one; less than start_line where there are none.'),
    final_newline: z.boolean(),
    text: z.string().exactOptional().describe('Absent for files that are not text.'),
    lossy: z
      .literal(true)
      .exactOptional()
      .describe('Some bytes are not UTF-8; each shows as U+FFFD and is kept by edits elsewhere.'),
    kind: z.enum(fileKinds).exactOptional().describe('Where it is not shown as text.'),
    outline: z
      .array(toldSymbol)
      .exactOptional()
      .describe('What a long file declares below the lines that are shown.'),
    truncated: z.boolean(),
    next_line: z.int().exactOptional().describe('The first line asked for that was left out.'),
    line_cut: z.literal(true).exactOptional(),
    go_on: goOn,
  })
  .meta({ id: 'ReadAnswer', description: 'A file, or some of its lines.' })

const notModified = z
  .object({ path: z.string(), rev: z.string(), not_modified: z.literal(true) })
  .meta({ id: 'NotModified', description: 'It still is the revision that is held.' })

const refusedFile = z
  .object({ path: z.string(), refused: z.record(z.string(), z.unknown()) })
  .meta({ id: 'RefusedFile', description: 'One of several files that cannot be shown, and why.' })

const manyFiles = z
  .object({
    files: z.array(z.union([oneFile, notModified, refusedFile])),
    truncated: z.boolean(),
    left_out: z.array(z.string()).exactOptional().describe('What to ask for next, as paths.'),
  })
  .meta({ id: 'ManyFilesAnswer' })

/** One file, or several where `paths` are asked for. */
export const readAnswer = z.union([oneFile, notModified, refusedFile, manyFiles])

const outlineAnswer = z
  .object({
    path: z.string(),
    rev: z.string(),
    language: z.string().describe('Empty where it is unknown.'),
    parser: z.enum(parserNames),
    note: z.enum(outlineNotes).exactOptional().describe('Why it is less than it could be.'),
    symbols: z.array(toldSymbol),
    truncated: z.boolean(),
    go_on: goOn,
  })
  .meta({ id: 'OutlineAnswer', description: 'What a file declares.' })

const symbolMatch = z
  .object({
    path: z.string(),
    rev: z.string(),
    name_path: z.string(),
    kind: z.enum(symbolKinds),
    start_line: z.int(),
    end_line: z.int(),
  })
  .meta({ id: 'SymbolMatch' })

const symbolMatches = z
  .object({
    query: z.string(),
    matches: z.array(symbolMatch),
    total: z.int(),
    truncated: z.boolean(),
    go_on: goOn,
  })
  .meta({
    id: 'SymbolMatches',
    description: 'Where names are declared that fit a query, those that fit best first.',
  })

/** An outline where no query was asked, else matches. */
export const symbolsAnswer = z.union([outlineAnswer, symbolMatches])
