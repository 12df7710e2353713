import { z } from 'zod'
import { renderReceiptText } from '../report/render-text.js'
import { answerReceipt } from './answer-receipt.js'
import { receiptAnswer } from './answers/receipt.js'
import { defineCommand } from './command.js'
import {
  commitField,
  dryRunField,
  keyField,
  messageField,
  receiptDetailField,
  worktreeField,
} from './fields.js'
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
    detail: receiptDetailField.exactOptional(),
    idempotency_key: keyField.exactOptional(),
  }),
  bind: {
    worktree: 'path',
    commit: 'path',
    message: 'json',
    dry_run: 'json',
    detail: 'json',
    idempotency_key: ['header:idempotency-key', 'json'],
  },
  routes: [{ method: 'POST', path: '/v1/worktrees/:worktree/batches/:commit/revert' }],
  access: 'edit',
  output: value(receiptAnswer, { statuses: [200, 201] }),
  positionals: ['commit'],
  tools: [
    {
      name: 'revert_batch',
      title: 'Revert a batch',
      description:
        'Undo one commit of the worktree by a new one, in its own files only; refused where later work stands on it. Use it instead of editing everything back.',
      fields: ['worktree', 'commit', 'message', 'dry_run'],
      shape: () => ({
        commit: z.string().describe('As a receipt or list_batches answered it.'),
        message: z.string().exactOptional().describe('Commit message.'),
      }),
      effect: 'changes',
      repeatable: true,
    },
  ],
  run: async (gateway, input, { signal }) => {
    const { worktree: id, commit, dry_run: dryRun = false, idempotency_key: key, message } = input
    const worktree = await gateway.worktree(id)
    const said = { ...(key !== undefined && { key }), ...(message !== undefined && { message }) }
    const receipt = await worktree.revert(commit, { dryRun, signal, ...said })
    return answerReceipt(worktree, receipt, input.detail)
  },
  render: renderReceiptText,
})
