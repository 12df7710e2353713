import { z } from 'zod'
import { renderReceiptText } from '../report/render-text.js'
import { batchAnswer } from './answers/receipt.js'
import { answer, defineCommand } from './command.js'
import { commitField, worktreeField } from './fields.js'
import { value } from './output.js'

/** One batch with its receipt, read back from its commit. */
export const batch = defineCommand({
  name: 'batch',
  summary: 'Show one batch again, with its receipt and patches.',
  input: z.strictObject({ worktree: worktreeField, commit: commitField }),
  bind: { worktree: 'path', commit: 'path' },
  routes: [{ method: 'GET', path: '/v1/worktrees/:worktree/batches/:commit' }],
  access: 'read',
  output: value(batchAnswer),
  positionals: ['commit'],
  run: async (gateway, input) => {
    const worktree = await gateway.worktree(input.worktree)
    return answer(await worktree.batch(input.commit))
  },
  render: one => `${one.subject}\n${renderReceiptText(one.receipt)}`,
})
