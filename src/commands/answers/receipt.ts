import { z } from 'zod'
import { matchLevels, warningCodes } from '../../core/receipt.js'

const changeStatuses = ['added', 'modified', 'deleted', 'renamed'] as const
const syntaxVerdicts = ['ok', 'broken_before', 'introduces_syntax_error', 'unchecked'] as const

const revAnswer = z.string().nullable().describe('A blob id; null where there is no file.')

const lineRange = z.object({ start: z.int(), end: z.int() }).meta({
  id: 'LineRange',
  description: 'Lines from 1, both included; an empty range has end = start - 1.',
})

const opResult = z
  .object({
    index: z.int().describe('Its place in the batch, from 0.'),
    op: z.string(),
    path: z.string(),
    level: z.enum(matchLevels).exactOptional().describe('How strictly its text was found.'),
    similarity: z.number().exactOptional().describe('At block_anchor: from 0 to 1.'),
    reindented: z.literal(true).exactOptional(),
    lines: z.array(lineRange).exactOptional().describe('Lines it touched, in the file before.'),
    new_lines: z.array(lineRange).exactOptional().describe('Lines it left, in the file after.'),
  })
  .meta({ id: 'OpResult', description: 'What one op did.' })

const warning = z
  .object({
    code: z.enum(warningCodes),
    path: z.string().exactOptional(),
    op: z.int().exactOptional(),
    line: z.int().exactOptional().describe('The line of the new file that it is about.'),
    uncertain: z.literal(true).exactOptional(),
  })
  .meta({ id: 'Warning', description: 'What is worth a look, though the batch was done.' })

/** One file of a diff, without what only a receipt knows. */
const diffFile = z
  .object({
    path: z.string(),
    from: z.string().exactOptional().describe('The old path of a moved file.'),
    status: z.enum(changeStatuses),
    before_rev: revAnswer,
    after_rev: revAnswer,
    ranges: z.array(lineRange).describe('Changed lines of the new file.'),
    patch: z.string().exactOptional(),
    patch_truncated: z.literal(true).exactOptional(),
  })
  .meta({ id: 'DiffFile', description: 'What changed in one file.' })

const receiptFile = z
  .object({
    ...diffFile.shape,
    mode: z.string().exactOptional(),
    anchored: z
      .string()
      .exactOptional()
      .describe('In a view with anchors: the changed lines with the anchors they have now.'),
    anchored_truncated: z.literal(true).exactOptional(),
    rebased_from: z
      .string()
      .exactOptional()
      .describe('The older revision that the edit was made from and merged with what stood here.'),
    syntax: z
      .enum(syntaxVerdicts)
      .exactOptional()
      .describe('What the batch did to the syntax of a file of a known language.'),
  })
  .meta({ id: 'ReceiptFile', description: 'What a batch did to one file.' })

const told = { ops: z.array(opResult), warnings: z.array(warning) }

export const receiptAnswer = z
  .object({
    commit: z.string().nullable().describe('Null for a dry run and where nothing had to change.'),
    parent: z.string(),
    files: z.array(receiptFile),
    ...told,
    already_applied: z.boolean().describe('True where nothing had to change.'),
    dry_run: z.boolean(),
  })
  .meta({ id: 'Receipt', description: 'What a batch did.' })

const loggedFile = z
  .object({
    path: z.string(),
    from: z.string().exactOptional(),
    status: z.string(),
    before_rev: revAnswer,
    after_rev: revAnswer,
  })
  .meta({ id: 'LoggedFile', description: 'A file that a commit changed.' })

const logEntry = z
  .object({
    commit: z.string(),
    parent: z.string(),
    subject: z.string(),
    time: z.string(),
    agent: z.string(),
    source: z
      .enum(['batch', 'external', 'foreign'])
      .describe("external: changed outside and committed here; foreign: by somebody's own git."),
    key: z.string().exactOptional().describe('The idempotency key it was sent with.'),
    intent: z.string().exactOptional(),
    model: z.string().exactOptional(),
    files: z.array(loggedFile),
    ...told,
  })
  .meta({ id: 'LogEntry', description: 'One commit of the branch, as its trailers tell.' })

export const logAnswer = z
  .object({ batches: z.array(logEntry), more: z.boolean() })
  .meta({ id: 'LogAnswer', description: 'Commits of a branch, newest first.' })

export const batchAnswer = z
  .object({ ...logEntry.shape, receipt: receiptAnswer })
  .meta({ id: 'BatchAnswer', description: 'One batch again, with its receipt.' })

export const diffAnswer = z
  .object({
    from: z.string(),
    to: z.string(),
    files: z.array(diffFile),
    summary: z.string(),
    unchanged: z.int().describe('Files that were reported before and did not change since.'),
    truncated: z.boolean().describe('True where asking for single paths tells more.'),
    next: z.string().exactOptional().describe('The first path to ask for.'),
  })
  .meta({ id: 'DiffAnswer', description: 'What changed between two commits.' })
