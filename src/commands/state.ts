import { z } from 'zod'
import { stateAnswer } from './answers/worktree.js'
import { answer, defineCommand } from './command.js'
import { worktreeField } from './fields.js'
import { value } from './output.js'
import { renderSetup } from './render-beginning.js'

/** Where one worktree stands. */
export const state = defineCommand({
  name: 'state',
  summary:
    'Say where a worktree stands: branch, head, files changed outside, work not reported or not landed.',
  input: z.strictObject({ worktree: worktreeField }),
  bind: { worktree: 'path' },
  routes: [
    { method: 'GET', path: '/v1/worktrees/:worktree' },
    { method: 'GET', path: '/v1/worktrees/:worktree/state' },
  ],
  access: 'read',
  output: value(stateAnswer),
  positionals: ['worktree'],
  tools: [
    {
      name: 'worktree_state',
      title: 'State of a worktree',
      description:
        'Where your work stands: branch, head commit, directory, files changed outside of these tools, commits not reported or not landed yet, drafts. Call it first in a session, after your context was compacted, and after a call was cancelled or timed out.',
      fields: ['worktree'],
      effect: 'reads',
      repeatable: true,
    },
  ],
  run: async (gateway, input) => {
    const worktree = await gateway.worktree(input.worktree)
    return answer(await worktree.state())
  },
  render: found =>
    [
      `worktree   ${found.id}`,
      `branch     ${found.branch}`,
      `path       ${found.path}`,
      `head       ${found.head}`,
      `unreported ${found.unreported_commits}`,
      `unlanded   ${found.unlanded_commits}`,
      ...(found.view === undefined ? [] : [`view       ${found.view} (${found.anchors})`]),
      ...(found.absent_files === 0 ? [] : [`absent     ${found.absent_files}`]),
      ...(found.locked === undefined ? [] : [`locked     ${found.locked}`]),
      ...(found.setup === undefined ? [] : renderSetup(found.setup)),
      ...(found.drafts ?? []).map(
        one => `draft      ${one.draft}: ${one.lines} lines, until ${one.expires}`,
      ),
      ...found.dirty.map(file => `dirty      ${file.status} ${file.path}`),
    ].join('\n'),
})
