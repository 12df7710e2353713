import { z } from 'zod'
import { symbolKinds } from '../../core/outline.js'

const goOn = z.string().exactOptional().describe('How to get what was left out.')

const symbolAround = z
  .object({
    name_path: z.string(),
    kind: z.enum(symbolKinds),
    start_line: z.int(),
    end_line: z.int(),
  })
  .meta({ id: 'SymbolAround', description: 'The innermost declaration around a hit.' })

const searchHit = z
  .object({
    line: z.int(),
    column: z.int().describe('Where in the line it fits first, from 1, in UTF-16 code units.'),
    text: z.string().describe('The line; a long one is cut around the hit, with … for the rest.'),
    before: z.array(z.string()).exactOptional(),
    after: z.array(z.string()).exactOptional(),
    symbol: symbolAround.exactOptional(),
  })
  .meta({ id: 'SearchHit', description: 'One line that fits.' })

const fileHits = z
  .object({
    path: z.string(),
    rev: z.string(),
    hits: z.array(searchHit),
    more_hits: z.int().exactOptional().describe('Lines that fit and are not shown.'),
  })
  .meta({ id: 'FileHits', description: 'One file with the lines that fit.' })

const skippedFiles = z
  .object({
    binary: z.int().exactOptional(),
    large: z.int().exactOptional(),
    link: z.int().exactOptional(),
    unnamed: z.int().exactOptional(),
    changed: z.int().exactOptional(),
    encoded: z.int().exactOptional(),
    unread: z.int().exactOptional(),
  })
  .meta({ id: 'SkippedFiles', description: 'Files that fit and cannot be shown, by the reason.' })

const asked = { pattern: z.string(), mode: z.enum(['literal', 'regex', 'symbols']) }

const told = {
  result: z.string().describe('Sent as `if_result` it spares the same answer.'),
  cached: z
    .literal(true)
    .exactOptional()
    .describe('Nothing has changed since it was asked before.'),
}

const foundAnswer = z
  .object({
    ...asked,
    engine: z.enum(['git grep', 'ripgrep', 'git grep -P', 'symbols']),
    files: z.array(fileHits),
    shown_hits: z.int(),
    total_hits: z.int(),
    total_files: z.int(),
    truncated: z.boolean(),
    next: z.string().exactOptional().describe('The `after` that goes on.'),
    go_on: goOn,
    skipped: skippedFiles.exactOptional(),
    symbols_missing: z.literal(true).exactOptional(),
    ...told,
  })
  .meta({ id: 'SearchAnswer', description: 'What a search found, by file.' })

const sameAnswer = z
  .object({ ...asked, same: z.literal(true), ...told })
  .meta({ id: 'SameAnswer', description: 'The answer that the caller said to have holds.' })

/** What was found, or that it is the same as before. */
export const searchAnswer = z.union([foundAnswer, sameAnswer])

export const mapAnswer = z
  .object({
    path: z.string(),
    head: z.string(),
    sort: z.enum(['churn', 'central']),
    files: z.array(z.object({ path: z.string(), symbols: z.array(z.string()) })),
    folded: z
      .array(z.object({ path: z.string(), files: z.int() }))
      .describe('Directories with files that are not named.'),
    shown_files: z.int(),
    total_files: z.int(),
    unnamed_files: z.int().describe('Files whose names are not UTF-8.'),
    truncated: z.boolean(),
    go_on: goOn,
  })
  .meta({ id: 'MapAnswer', description: 'Files and names, those first that are worked on most.' })
