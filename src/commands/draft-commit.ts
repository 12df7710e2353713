import { z } from 'zod'
import type { Limits } from '../core/limits.js'
import { parseRepoPath } from '../core/repo-path.js'
import { parseBatch } from '../edit/batch.js'
import { renderReceiptText } from '../report/render-text.js'
import { answerReceipt } from './answer-receipt.js'
import { receiptAnswer } from './answers/receipt.js'
import { defineCommand } from './command.js'
import { checkDraftName } from './draft-write.js'
import {
  draftField,
  dryRunField,
  intentField,
  keyField,
  messageField,
  pathField,
  receiptDetailField,
  worktreeField,
} from './fields.js'
import { fingerprint } from './fingerprint.js'
import { value } from './output.js'

const draftOp = z.enum(['write_file', 'append_lines', 'insert_lines', 'replace_lines'])

/** Lands a draft in one file as one commit. */
export const draftCommit = defineCommand({
  name: 'draft-commit',
  summary: 'Put the text of a draft into a file as one commit; the draft is gone then.',
  input: z.strictObject({
    worktree: worktreeField,
    draft: draftField,
    path: pathField,
    expected_rev: z
      .string()
      .max(100)
      .describe('The revision that you read; "new" for a file that must not exist.'),
    op: draftOp.describe('What becomes of the text: the whole file, or lines of it.'),
    line: z.int().min(1).exactOptional().describe('insert_lines: the line to insert before.'),
    start_line: z.int().min(1).exactOptional().describe('replace_lines: the first line.'),
    end_line: z.int().min(1).exactOptional().describe('replace_lines: the last line, included.'),
    literal: z
      .boolean()
      .exactOptional()
      .describe('The text is meant as it stands, though it looks like a slip.'),
    message: messageField.exactOptional(),
    intent: intentField.exactOptional(),
    require_valid: z
      .boolean()
      .exactOptional()
      .describe('Refuse it if the file would get a syntax error.'),
    dry_run: dryRunField.exactOptional(),
    detail: receiptDetailField.exactOptional(),
    idempotency_key: keyField.exactOptional(),
  }),
  bind: {
    worktree: 'path',
    draft: 'path',
    path: 'json',
    expected_rev: 'json',
    op: 'json',
    line: 'json',
    start_line: 'json',
    end_line: 'json',
    literal: 'json',
    message: 'json',
    intent: 'json',
    require_valid: 'json',
    dry_run: 'json',
    detail: 'json',
    idempotency_key: ['header:idempotency-key', 'json'],
  },
  routes: [{ method: 'POST', path: '/v1/worktrees/:worktree/drafts/:draft/commit' }],
  access: 'edit',
  output: value(receiptAnswer, { statuses: [200, 201] }),
  positionals: ['draft'],
  tools: [
    {
      name: 'draft_commit',
      title: 'Land a draft',
      description:
        'Put the text of a draft into one file, as ONE git commit, checked like every edit; the draft is gone then. op: write_file (the whole file), append_lines, insert_lines (before line), replace_lines (start_line to end_line). Example: {"draft":"readme","path":"README.md","expected_rev":"new","op":"write_file"}',
      fields: [
        'worktree',
        'draft',
        'path',
        'expected_rev',
        'op',
        'line',
        'start_line',
        'end_line',
        'literal',
        'message',
      ],
      shape: () => ({
        draft: z.string().describe('Name of the draft.'),
        path: z.string().describe('Path from the root of the repository.'),
        expected_rev: z.string().describe('The rev you read; "new": the file must not exist.'),
        op: draftOp.describe('What to do with the text.'),
        line: z.int().exactOptional().describe('Line to insert before.'),
        start_line: z.int().exactOptional().describe('First line.'),
        end_line: z.int().exactOptional().describe('Last line, included.'),
        literal: z.boolean().exactOptional().describe('Meant as it stands.'),
        message: z.string().exactOptional().describe('Commit message.'),
      }),
      effect: 'changes',
      repeatable: true,
    },
  ],
  run: async (gateway, input, { signal }) => {
    const {
      worktree: id,
      draft,
      dry_run: dryRun = false,
      idempotency_key: key,
      detail,
      ...asked
    } = input
    const { message, intent, require_valid: mustBeValid, ...edit } = asked
    checkDraftName(draft)
    parseRepoPath(edit.path)
    const worktree = await gateway.worktree(id)
    const limits = draftLimits(gateway.limits)
    const batchOf = (text: string): ReturnType<typeof parseBatch> =>
      parseBatch({ edits: [{ ...edit, text }] }, limits)
    const once = key === undefined ? {} : { key, fingerprint: fingerprint('draft-commit', input) }
    const receipt = await worktree.applyDraft(
      { draft, batchOf, message, intent, mustBeValid },
      { dryRun, signal, ...once },
    )
    return answerReceipt(worktree, receipt, detail)
  },
  render: renderReceiptText,
})

/** A draft is for what is too long to be said at once. */
function draftLimits(limits: Limits): Limits {
  return { ...limits, replaceChars: Math.max(limits.replaceChars, limits.writeBytes) }
}
