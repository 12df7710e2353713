import { z } from 'zod'
import { renderReceiptText } from '../report/render-text.js'
import { receiptAnswer } from './answers/receipt.js'
import { defineCommand } from './command.js'
import { answerReceipt } from './edit.js'
import { messageField, worktreeField } from './fields.js'
import { value } from './output.js'

/** Commits what was changed in the worktree's directory by other means. */
export const snapshot = defineCommand({
  name: 'snapshot',
  summary: 'Commit what other programs or people changed in the directory of the worktree.',
  input: z.strictObject({ worktree: worktreeField, message: messageField.exactOptional() }),
  bind: { worktree: 'path', message: 'json' },
  routes: [{ method: 'POST', path: '/v1/worktrees/:worktree/snapshot' }],
  access: 'edit',
  output: value(receiptAnswer, { statuses: [200, 201] }),
  run: async (gateway, input) => {
    const { worktree: id, ...asked } = input
    const worktree = await gateway.worktree(id)
    return answerReceipt(await worktree.snapshot(asked))
  },
  render: renderReceiptText,
})
