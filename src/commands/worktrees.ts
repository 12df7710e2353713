import { z } from 'zod'
import { shortOid } from '../core/oid.js'
import { worktreesAnswer } from './answers/worktree.js'
import { answer, defineCommand } from './command.js'
import { value } from './output.js'
import { columns } from './render-text.js'

/** Every worktree of every repository served. */
export const worktrees = defineCommand({
  name: 'worktrees',
  summary: 'List the worktrees of all agents.',
  input: z.strictObject({}),
  bind: {},
  routes: [{ method: 'GET', path: '/v1/worktrees' }],
  access: 'server',
  output: value(worktreesAnswer),
  run: async gateway => answer({ worktrees: await gateway.worktrees() }),
  render: ({ worktrees }) =>
    columns(worktrees.map(one => [one.id, one.branch, shortOid(one.head), one.path])),
})
