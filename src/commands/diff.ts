import { z } from 'zod'
import { patchDetails } from '../core/patch-detail.js'
import { parseRepoPath } from '../core/repo-path.js'
import { renderDiffText } from '../report/render-text.js'
import { mayEdit } from './access.js'
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
    detail: z
      .enum(patchDetails)
      .exactOptional()
      .describe(
        'Changed line ranges only, or patches with 0, 1 or 3 lines of context; u3 are as git apply takes them. u1 where absent.',
      ),
    mark: z.boolean().exactOptional().describe('Mark what is answered as reported.'),
  }),
  bind: {
    worktree: 'path',
    full: 'query',
    since: 'query',
    path: 'query',
    detail: 'query',
    mark: 'query',
  },
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
  tools: [
    {
      name: 'get_diff',
      title: 'What changed',
      description:
        'What changed in the worktree since you last asked, as a patch; files that were reported and did not change since count only as a number. The answer counts as reported, so the next one starts there. full: everything since the base, for a last check of the whole work.',
      fields: ['worktree', 'path', 'full', 'since'],
      shape: () => ({
        since: z.string().exactOptional().describe('From this commit instead.'),
      }),
      preset: () => ({ mark: true }),
      effect: 'adds',
      repeatable: false,
    },
  ],
  run: async (gateway, input, { caller, limits }) => {
    const { worktree: id, path, mark = false, ...asked } = input
    const only = path === undefined ? {} : { path: parseRepoPath(path) }
    const worktree = await gateway.worktree(id)
    // Who only reads is told the same and leaves no mark.
    const query = { detail: 'u1' as const, ...asked, ...only, mark: mark && mayEdit(caller) }
    return answer(await worktree.unreported(query, limits))
  },
  render: renderDiffText,
})
