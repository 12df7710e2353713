import { z } from 'zod'
import { renderReceiptText } from '../report/render-text.js'
import { receiptAnswer } from './answers/receipt.js'
import { defineCommand } from './command.js'
import { answerReceipt } from './edit.js'
import { commitField, dryRunField, keyField, messageField, worktreeField } from './fields.js'
import { value } from './output.js'

/** Undoes one batch by a new commit. */
export const revert = defineCommand({
  name: 'revert',
  summary: 'Undo one batch by a new commit; refused where later work stands on it.',
  input: z.strictObject({
    worktree: worktreeField,
    commit: commitField,
    message: messageField.exactOptional(),
    dry_run: dryRunField.exactOptional(),
    idempotency_key: keyField.exactOptional(),
  }),
  bind: {
    worktree: 'path',
    commit: 'path',
    message: 'json',
    dry_run: 'json',
    idempotency_key: ['header:idempotency-key', 'json'],
  },
  routes: [{ method: 'POST', path: '/v1/worktrees/:worktree/batches/:commit/revert' }],
  access: 'edit',
  output: value(receiptAnswer, { statuses: [200, 201] }),
  positionals: ['commit'],
  run: async (gateway, input, { signal }) => {
    const { worktree: id, commit, dry_run: dryRun = false, idempotency_key: key, message } = input
    const worktree = await gateway.worktree(id)
    const said = { ...(key !== undefined && { key }), ...(message !== undefined && { message }) }
    return answerReceipt(await worktree.revert(commit, { dryRun, signal, ...said }))
  },
  render: renderReceiptText,
})
