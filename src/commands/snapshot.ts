import { z } from 'zod'
import { renderReceiptText } from '../report/render-text.js'
import { defineCommand } from './command.js'
import { answerReceipt } from './edit.js'
import { messageField, worktreeField } from './fields.js'

/** Commits what was changed in the worktree's directory by other means. */
export const snapshot = defineCommand({
  name: 'snapshot',
  summary: 'Commit what other programs or people changed in the directory of the worktree.',
  input: z.strictObject({ worktree: worktreeField, message: messageField.exactOptional() }),
  bind: { worktree: 'path', message: 'json' },
  routes: [{ method: 'POST', path: '/v1/worktrees/:worktree/snapshot' }],
  access: 'edit',
  run: async (gateway, input) => {
    const { worktree: id, ...asked } = input
    const worktree = await gateway.worktree(id)
    return answerReceipt(await worktree.snapshot(asked))
  },
  render: renderReceiptText,
})
