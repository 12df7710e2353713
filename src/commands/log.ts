import { z } from 'zod'
import { renderLogEntryText } from '../report/render-text.js'
import { logAnswer } from './answers/receipt.js'
import { answer, defineCommand } from './command.js'
import { commitField, worktreeField } from './fields.js'
import { value } from './output.js'

/** The batches of a worktree, newest first. */
export const log = defineCommand({
  name: 'log',
  summary: 'List the batches of a worktree, newest first.',
  input: z.strictObject({
    worktree: worktreeField,
    limit: z.number().int().min(1).max(1_000).exactOptional().describe('How many to answer.'),
    before: commitField.exactOptional().describe('Only those before this commit.'),
  }),
  bind: { worktree: 'path', limit: 'query', before: 'query' },
  routes: [{ method: 'GET', path: '/v1/worktrees/:worktree/batches' }],
  access: 'read',
  output: value(logAnswer),
  tools: [
    {
      name: 'list_batches',
      title: 'List batches',
      description:
        'The commits of the worktree, newest first: subject, intent, files with their revs. Tells whether a call that was cancelled or timed out has landed, and the commit to give to revert_batch.',
      fields: ['worktree', 'limit', 'before'],
      shape: () => ({
        limit: z.int().exactOptional().describe('How many.'),
        before: z.string().exactOptional().describe('Only those before this commit.'),
      }),
      effect: 'reads',
      repeatable: true,
    },
  ],
  run: async (gateway, input) => {
    const { worktree: id, ...asked } = input
    const worktree = await gateway.worktree(id)
    return answer(await worktree.log(asked))
  },
  render: ({ batches, more }) =>
    batches.length === 0
      ? 'no commits here'
      : [...batches.map(renderLogEntryText), ...(more ? ['(more: use before)'] : [])].join('\n'),
})
