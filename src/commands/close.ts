import { z } from 'zod'
import { Refusal } from '../core/errors.js'
import { closedAnswer } from './answers/worktree.js'
import { answer, defineCommand } from './command.js'
import { worktreeField } from './fields.js'
import { value } from './output.js'

/** Closes a worktree. An agent may close its own once its work has landed; `force` is a person's word. */
export const close = defineCommand({
  name: 'close',
  summary: 'Close a worktree; refused while it holds work that no other branch has.',
  input: z.strictObject({
    worktree: worktreeField,
    force: z
      .boolean()
      .exactOptional()
      .describe('Close it all the same and keep the branch as refs/editlatch/closed/<name>.'),
  }),
  bind: { worktree: 'path', force: 'query' },
  routes: [{ method: 'DELETE', path: '/v1/worktrees/:worktree' }],
  access: 'edit',
  output: value(closedAnswer),
  positionals: ['worktree'],
  run: async (gateway, { worktree, force = false }, { caller }) => {
    if (force && caller.kind !== 'server') throw new Refusal('FORBIDDEN')
    return answer(await gateway.closeWorktree(worktree, { force }))
  },
  render: closed =>
    [
      `closed ${closed.id}`,
      ...(closed.kept_ref === undefined ? [] : [`its work is kept as ${closed.kept_ref}`]),
    ].join('\n'),
})
