import { z } from 'zod'
import { logAnswer } from './answers/receipt.js'
import { answer, defineCommand } from './command.js'
import { commitField, worktreeField } from './fields.js'
import { value } from './output.js'
import { shortOid } from './render-text.js'

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
  run: async (gateway, input) => {
    const { worktree: id, ...asked } = input
    const worktree = await gateway.worktree(id)
    return answer(await worktree.log(asked))
  },
  render: ({ batches, more }) =>
    [
      ...batches.map(one => `${shortOid(one.commit)} ${one.time} ${one.source} ${one.subject}`),
      ...(more ? ['(more: use before)'] : []),
    ].join('\n'),
})
