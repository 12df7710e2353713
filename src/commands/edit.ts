import { z } from 'zod'
import { isShortOid } from '../core/oid.js'
import { batchSchema, parseBatch } from '../edit/batch.js'
import { isTextDialect } from '../edit/dialects/registry.js'
import type { Worktree } from '../gateway/worktree.js'
import { renderReceiptText } from '../report/render-text.js'
import { answerReceipt } from './answer-receipt.js'
import { receiptAnswer } from './answers/receipt.js'
import { defineCommand } from './command.js'
import { saidEdits } from './edit-shapes.js'
import { editTools } from './edit-tools.js'
import {
  dryRunField,
  errorStyleField,
  keyField,
  receiptDetailField,
  worktreeField,
} from './fields.js'
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
    detail: receiptDetailField.exactOptional(),
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
    detail: ['json', 'query'],
    error_style: ['json', 'query'],
    idempotency_key: ['header:idempotency-key', 'json'],
  },
  readsText: ({ dialect }) => isTextDialect(dialect),
  routes: [{ method: 'POST', path: '/v1/worktrees/:worktree/batches' }],
  access: 'edit',
  output: value(receiptAnswer, { statuses: [200, 201] }),
  shapes: { edits: saidEdits },
  tools: editTools,
  run: async (gateway, input, { signal }) => {
    const {
      worktree: id,
      dry_run: dryRun = false,
      idempotency_key: key,
      error_style: _style,
      detail,
      ...asked
    } = input
    const worktree = await gateway.worktree(id)
    const { anchors } = worktree.checkout
    const { dialects: offered } = gateway
    const { expected_head: head } = asked
    const whole = head === undefined ? {} : { expected_head: await wholeHead(worktree, head) }
    const batch = parseBatch({ ...asked, ...whole }, gateway.limits, {
      anchors,
      ...(offered && { offered }),
    })
    const once = key === undefined ? {} : { key, fingerprint: fingerprint('edit', input) }
    return answerReceipt(worktree, await worktree.apply(batch, { dryRun, signal, ...once }), detail)
  },
  render: renderReceiptText,
})

/** The commit of which compact text has shown the first digits. */
async function wholeHead(worktree: Worktree, head: string): Promise<string> {
  if (!isShortOid(head)) return head
  const commit = await worktree.checkout.served.commitNamed(head)
  // A branch may be called like the first digits of something.
  return commit.startsWith(head) ? commit : head
}
