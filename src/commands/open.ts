import { z } from 'zod'
import { openedAnswer } from './answers/worktree.js'
import { answer, defineCommand } from './command.js'
import { value } from './output.js'

/** Opens an agent's worktree, or answers the one it has already. */
export const open = defineCommand({
  name: 'open',
  summary:
    'Open a worktree for an agent, on its own branch; opening it again answers the same one.',
  input: z.strictObject({
    agent: z
      .string()
      .max(64)
      .describe('Name of the agent: lower-case letters, digits, dot, underscore and hyphen.'),
    repo: z
      .string()
      .max(200)
      .exactOptional()
      .describe('Name of the repository; needed only where several are served.'),
    base: z
      .string()
      .max(500)
      .exactOptional()
      .describe('Branch, tag or commit to start from; the checked-out commit where it is absent.'),
    files: z
      .enum(['all', 'none'])
      .exactOptional()
      .describe(
        'none: a new worktree gets no files, at once, until they are materialised; all is the default.',
      ),
    view: z
      .enum(['plain', 'hashline'])
      .exactOptional()
      .describe(
        'hashline: every read gives each line after an anchor, for the edits of dialect hashline; plain is the default.',
      ),
    model: z.string().max(200).exactOptional().describe('Name of the model, kept in each commit.'),
  }),
  bind: { agent: 'json', repo: 'json', base: 'json', files: 'json', view: 'json', model: 'json' },
  routes: [{ method: 'POST', path: '/v1/worktrees' }],
  access: 'server',
  output: value(openedAnswer, {
    statuses: [201],
    headers: { location: 'Where its state is answered.' },
  }),
  positionals: ['agent'],
  run: async (gateway, input) => {
    const worktree = await gateway.openWorktree(input)
    const location = `/v1/worktrees/${encodeURIComponent(worktree.id)}`
    return answer(worktree, { status: 201, headers: { location } })
  },
  render: worktree =>
    [
      `worktree ${worktree.id}`,
      `branch   ${worktree.branch}`,
      `path     ${worktree.path}`,
      `head     ${worktree.head}`,
      ...(worktree.files === undefined ? [] : [`files    ${worktree.files}`]),
      ...(worktree.view === undefined ? [] : [`view     ${worktree.view} (${worktree.anchors})`]),
      `token    ${worktree.token}`,
      ...(worktree.base_dirty === true
        ? ['The checkout has uncommitted changes; they are not part of this worktree.']
        : []),
    ].join('\n'),
})
