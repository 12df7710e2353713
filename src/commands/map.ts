import { z } from 'zod'
import { fixedLimits } from '../core/limits.js'
import { parseRepoPath } from '../core/repo-path.js'
import { renderMapText } from '../report/map-view.js'
import { mapAnswer } from './answers/searching.js'
import { answer, defineCommand } from './command.js'
import { worktreeField } from './fields.js'
import { value } from './output.js'

const { mapBytes, maxMapBytes, mapSymbols } = fixedLimits

/** The repository at a glance. */
export const map = defineCommand({
  name: 'map',
  summary: 'Draw the tree of files with key symbols, those first that are worked on most.',
  input: z.strictObject({
    worktree: worktreeField,
    path: z.string().exactOptional().describe('Only what is below this directory.'),
    depth: z
      .int()
      .min(0)
      .max(100)
      .exactOptional()
      .describe('Directories deeper than this are folded; none where nothing is said.'),
    max_bytes: z
      .int()
      .min(1_000)
      .max(maxMapBytes)
      .exactOptional()
      .describe(`Bytes of the map as text; ${mapBytes} where nothing is said.`),
    symbols: z
      .int()
      .min(0)
      .max(20)
      .exactOptional()
      .describe(`Names to tell of the files that come first; ${mapSymbols} where nothing is said.`),
    sort: z
      .enum(['churn', 'central'])
      .exactOptional()
      .describe('churn: by recent work, where nothing is said; central: by how many import it.'),
  }),
  bind: {
    worktree: 'path',
    path: 'query',
    depth: 'query',
    max_bytes: 'query',
    symbols: 'query',
    sort: 'query',
  },
  routes: [{ method: 'GET', path: '/v1/worktrees/:worktree/map' }],
  access: 'read',
  output: value(mapAnswer),
  positionals: ['path'],
  tools: [
    {
      name: 'repo_map',
      title: 'Map of the repository',
      description:
        'The tree of files with their key symbols, what is worked on most first, within a budget. Call it once to get to know a repository; path and depth look closer.',
      fields: ['worktree', 'path', 'depth', 'max_bytes'],
      shape: () => ({
        path: z.string().exactOptional().describe('Only below this directory.'),
        depth: z.int().exactOptional().describe('Fold deeper directories.'),
        max_bytes: z.int().exactOptional().describe('Budget.'),
      }),
      effect: 'reads',
      repeatable: true,
    },
  ],
  run: async (gateway, input) => {
    const path = input.path === undefined ? '' : parseRepoPath(input.path)
    const worktree = await gateway.worktree(input.worktree)
    const query = {
      path,
      depth: input.depth ?? Infinity,
      maxBytes: input.max_bytes ?? mapBytes,
      symbols: input.symbols ?? mapSymbols,
      sort: input.sort ?? 'churn',
    }
    return answer(await worktree.survey.map(query))
  },
  render: renderMapText,
})
