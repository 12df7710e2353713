import { z } from 'zod'
import { Refusal } from '../core/errors.js'
import { parseBatch } from '../edit/batch.js'
import { renderReceiptText } from '../report/render-text.js'
import { answerReceipt } from './answer-receipt.js'
import { receiptAnswer } from './answers/receipt.js'
import { defineCommand } from './command.js'
import {
  dryRunField,
  errorStyleField,
  intentField,
  keyField,
  messageField,
  pathField,
  receiptDetailField,
  worktreeField,
} from './fields.js'
import { fingerprint } from './fingerprint.js'
import { value } from './output.js'

/** Writes one whole file, byte for byte, as one commit. */
export const write = defineCommand({
  name: 'write',
  summary: 'Write a whole file as one commit, from the bytes of the body.',
  input: z.strictObject({
    worktree: worktreeField,
    path: pathField,
    content: z.instanceof(Uint8Array).describe('The bytes of the file.'),
    expected_rev: z
      .string()
      .max(100)
      .exactOptional()
      .describe('The revision that you read; the file is replaced only if it still is that one.'),
    must_not_exist: z.boolean().exactOptional().describe('Create the file only if there is none.'),
    message: messageField.exactOptional(),
    intent: intentField.exactOptional(),
    dry_run: dryRunField.exactOptional(),
    detail: receiptDetailField.exactOptional(),
    error_style: errorStyleField.exactOptional(),
    idempotency_key: keyField.exactOptional(),
  }),
  bind: {
    worktree: 'path',
    path: 'query',
    content: 'raw-body',
    expected_rev: 'header:if-match',
    must_not_exist: 'header:if-none-match',
    message: 'query',
    intent: 'query',
    dry_run: 'query',
    detail: 'query',
    error_style: 'query',
    idempotency_key: 'header:idempotency-key',
  },
  routes: [{ method: 'PUT', path: '/v1/worktrees/:worktree/file' }],
  access: 'edit',
  output: value(receiptAnswer, { statuses: [200, 201] }),
  positionals: ['path'],
  run: async (gateway, input, { signal }) => {
    const { worktree: id, dry_run: dryRun = false, idempotency_key: key, message, intent } = input
    const content_base64 = Buffer.from(input.content).toString('base64')
    const words = { ...(message && { message }), ...(intent && { intent }) }
    const op = {
      op: 'write_file' as const,
      path: input.path,
      content_base64,
      ...precondition(input),
    }
    const batch = parseBatch({ edits: [op], ...words }, gateway.limits)
    const worktree = await gateway.worktree(id)
    const once = key === undefined ? {} : { key, fingerprint: fingerprint('write', input) }
    const receipt = await worktree.apply(batch, { dryRun, ifMatch: true, signal, ...once })
    return answerReceipt(worktree, receipt, input.detail)
  },
  render: renderReceiptText,
})

interface Precondition {
  readonly expected_rev?: string
  readonly must_not_exist?: boolean
}

/** `If-Match: *` vouches for nothing that was read, so it counts as no revision. */
function precondition({ expected_rev: rev, must_not_exist: mustNotExist }: Precondition): {
  readonly expected_rev?: string | null
} {
  if (rev !== undefined && mustNotExist === true) {
    throw new Refusal('INVALID_ARGUMENTS', {
      problem: 'a file cannot both have a revision and not exist',
    })
  }
  if (mustNotExist === true) return { expected_rev: null }
  return rev === undefined || rev === '*' ? {} : { expected_rev: rev }
}
