import { z } from 'zod'
import { renderReceiptText } from '../report/render-text.js'
import { answerReceipt } from './answer-receipt.js'
import { receiptAnswer } from './answers/receipt.js'
import { defineCommand } from './command.js'
import { messageField, receiptDetailField, worktreeField } from './fields.js'
import { value } from './output.js'

/** Commits what was changed in the worktree's directory by other means. */
export const snapshot = defineCommand({
  name: 'snapshot',
  summary: 'Commit what other programs or people changed in the directory of the worktree.',
  input: z.strictObject({
    worktree: worktreeField,
    message: messageField.exactOptional(),
    detail: receiptDetailField.exactOptional(),
  }),
  bind: { worktree: 'path', message: 'json', detail: 'json' },
  routes: [{ method: 'POST', path: '/v1/worktrees/:worktree/snapshot' }],
  access: 'edit',
  output: value(receiptAnswer, { statuses: [200, 201] }),
  run: async (gateway, input) => {
    const { worktree: id, detail, ...asked } = input
    const worktree = await gateway.worktree(id)
    return answerReceipt(worktree, await worktree.snapshot(asked), detail)
  },
  render: renderReceiptText,
})
