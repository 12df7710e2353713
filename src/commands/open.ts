import { z } from 'zod'
import { openedAnswer } from './answers/worktree.js'
import { answer, defineCommand } from './command.js'
import { editsDialect } from './edit-tools.js'
import { value } from './output.js'
import { renderIncluded, renderSetup } from './render-beginning.js'

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
  tools: [
    {
      name: 'open_worktree',
      title: 'Open a worktree',
      description:
        'Open a worktree: a branch agent/<agent> and a directory of your own, made from a commit; opening it again answers the same. Not needed before the first edit: every tool opens your own worktree where you name none. For another base, repository or a second worktree, whose id you then name as worktree. Example: {"agent":"fix-login","base":"main"}',
      fields: ['agent', 'repo', 'base', 'model'],
      shape: () => ({
        agent: z.string().describe('Name: a-z, 0-9, dot, underscore, hyphen.'),
        repo: z
          .string()
          .exactOptional()
          .describe('Name of the repository, where several are served.'),
        base: z.string().exactOptional().describe('Branch, tag or commit to start from.'),
        model: z.string().exactOptional().describe('Your model name, kept in commits.'),
      }),
      preset: ({ dialects }) => (editsDialect(dialects) === 'hashline' ? { view: 'hashline' } : {}),
      hides: ['token'],
      effect: 'adds',
      repeatable: true,
    },
  ],
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
      // Models are not shown it.
      ...(worktree.token === undefined ? [] : [`token    ${worktree.token}`]),
      ...(worktree.included === undefined ? [] : renderIncluded(worktree.included)),
      ...(worktree.setup === undefined ? [] : renderSetup(worktree.setup)),
      ...(worktree.base_dirty === true
        ? ['The checkout has uncommitted changes; they are not part of this worktree.']
        : []),
    ].join('\n'),
})
