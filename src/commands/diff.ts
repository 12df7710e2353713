import { z } from 'zod'
import { parseRepoPath } from '../core/repo-path.js'
import { renderDiffText } from '../report/render-text.js'
import { diffAnswer } from './answers/receipt.js'
import { answer, defineCommand } from './command.js'
import { commitField, pathField, worktreeField } from './fields.js'
import { value } from './output.js'

/** Answers what was not reported yet; marks it reported only when asked to. */
export const diff = defineCommand({
  name: 'diff',
  summary:
    'Show what changed since the last report; marking it makes the next diff start from here.',
  input: z.strictObject({
    worktree: worktreeField,
    full: z.boolean().exactOptional().describe('From the base of the branch, reported or not.'),
    since: commitField.exactOptional().describe('From this commit instead of the last report.'),
    path: pathField.exactOptional().describe('Only this file.'),
    mark: z.boolean().exactOptional().describe('Mark what is answered as reported.'),
  }),
  bind: { worktree: 'path', full: 'query', since: 'query', path: 'query', mark: 'query' },
  routes: [
    { method: 'GET', path: '/v1/worktrees/:worktree/diff', preset: { mark: false } },
    {
      method: 'POST',
      path: '/v1/worktrees/:worktree/diff',
      preset: { mark: true },
      access: 'edit',
    },
  ],
  access: 'read',
  output: value(diffAnswer),
  run: async (gateway, input) => {
    const { worktree: id, path, ...asked } = input
    const only = path === undefined ? {} : { path: parseRepoPath(path) }
    const worktree = await gateway.worktree(id)
    return answer(await worktree.unreported({ ...asked, ...only }))
  },
  render: renderDiffText,
})
