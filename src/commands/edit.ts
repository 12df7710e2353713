import { z } from 'zod'
import type { Receipt } from '../core/receipt.js'
import { batchSchema, parseBatch } from '../edit/batch.js'
import { isTextDialect } from '../edit/dialects/registry.js'
import { renderReceiptText } from '../report/render-text.js'
import { receiptAnswer } from './answers/receipt.js'
import { type Answer, answer, defineCommand } from './command.js'
import { saidEdits } from './edit-shapes.js'
import { dryRunField, errorStyleField, keyField, worktreeField } from './fields.js'
import { fingerprint } from './fingerprint.js'
import { value } from './output.js'

/** Applies a batch of edits as one commit. */
export const edit = defineCommand({
  name: 'edit',
  summary: 'Apply a batch of edits as one commit; all of them or none.',
  input: z.strictObject({
    worktree: worktreeField,
    ...batchSchema.shape,
    dry_run: dryRunField.exactOptional(),
    error_style: errorStyleField.exactOptional(),
    idempotency_key: keyField.exactOptional(),
  }),
  bind: {
    worktree: 'path',
    edits: 'json',
    patch: ['json', 'text-body'],
    dialect: ['json', 'query'],
    expected_revs: 'json',
    message: ['json', 'query'],
    intent: ['json', 'query'],
    expected_head: ['json', 'query'],
    on_conflict: ['json', 'query'],
    require_valid: ['json', 'query'],
    first_match: ['json', 'query'],
    literal: ['json', 'query'],
    max_level: ['json', 'query'],
    min_similarity: 'json',
    dry_run: ['json', 'query'],
    error_style: ['json', 'query'],
    idempotency_key: ['header:idempotency-key', 'json'],
  },
  readsText: ({ dialect }) => isTextDialect(dialect),
  routes: [{ method: 'POST', path: '/v1/worktrees/:worktree/batches' }],
  access: 'edit',
  output: value(receiptAnswer, { statuses: [200, 201] }),
  shapes: { edits: saidEdits },
  run: async (gateway, input, { signal }) => {
    const {
      worktree: id,
      dry_run: dryRun = false,
      idempotency_key: key,
      error_style: _style,
      ...asked
    } = input
    const worktree = await gateway.worktree(id)
    const { anchors } = worktree.checkout
    const { dialects: offered } = gateway
    const batch = parseBatch(asked, gateway.limits, {
      anchors,
      ...(offered && { offered }),
    })
    const once = key === undefined ? {} : { key, fingerprint: fingerprint('edit', input) }
    return answerReceipt(await worktree.apply(batch, { dryRun, signal, ...once }))
  },
  render: renderReceiptText,
})

/** 201 where a commit was made, 200 for a dry run and where nothing had to change. */
export function answerReceipt(receipt: Receipt): Answer<Receipt> {
  return answer(receipt, { status: receipt.commit === null ? 200 : 201 })
}
