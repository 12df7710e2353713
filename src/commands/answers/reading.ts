import { z } from 'zod'
import { parserNames, symbolFlags, symbolKinds } from '../../core/outline.js'

const outlineNotes = [
  'syntax_errors',
  'too_complex',
  'too_large',
  'minified',
  'unknown_language',
] as const

const goOn = z.string().exactOptional().describe('How to get what was left out.')

export const readAnswer = z
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
    content_base64: z.string().exactOptional().describe('The bytes of a file that is not text.'),
    truncated: z.boolean(),
    next_line: z.int().exactOptional().describe('The first line asked for that was left out.'),
    line_cut: z.literal(true).exactOptional(),
  })
  .meta({ id: 'ReadAnswer', description: 'A file, or some of its lines.' })

const toldSymbol = z
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
