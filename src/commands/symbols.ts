import { z } from 'zod'
import { Refusal } from '../core/errors.js'
import { type SymbolKind, symbolKinds } from '../core/outline.js'
import { parseRepoPath } from '../core/repo-path.js'
import type { Worktree } from '../gateway/worktree.js'
import {
  type OutlineAnswer,
  renderMatches,
  renderOutline,
  renderSymbolsText,
  type SymbolMatches,
} from '../report/symbols-view.js'
import { symbolsAnswer } from './answers/reading.js'
import { answer, defineCommand } from './command.js'
import { worktreeField } from './fields.js'
import { value } from './output.js'

/** What a file declares, or where a name is declared. */
export const symbols = defineCommand({
  name: 'symbols',
  summary: 'List what a file declares, or find where a name is declared, with lines and revision.',
  input: z.strictObject({
    worktree: worktreeField,
    path: z
      .string()
      .exactOptional()
      .describe('The file to outline; with query a glob or how the paths begin.'),
    query: z
      .string()
      .min(1)
      .max(200)
      .regex(/^[^\p{Cc}]*$/u, 'holds a line break or a control character')
      .exactOptional()
      .describe('A part of a name, in any case, or of a name path such as Class/method.'),
    regex: z
      .boolean()
      .exactOptional()
      .describe('query is a pattern for names and name paths, without look-around.'),
    kinds: z
      .string()
      .max(400)
      .exactOptional()
      .describe('Only these kinds, such as class,function.'),
    depth: z
      .int()
      .min(0)
      .max(5)
      .exactOptional()
      .describe('Levels below the top ones that an outline shows; 1 where absent.'),
  }),
  bind: {
    worktree: 'path',
    path: 'query',
    query: 'query',
    regex: 'query',
    kinds: 'query',
    depth: 'query',
  },
  routes: [{ method: 'GET', path: '/v1/worktrees/:worktree/symbols' }],
  access: 'read',
  output: value(symbolsAnswer),
  positionals: ['path'],
  tools: [
    {
      name: 'list_symbols',
      title: 'List symbols',
      description:
        'What a file declares (path), or where a name is declared in the repository (query: a part of a name, or a name path such as Class/method; path then narrows the files), with lines and rev. Cheaper than reading: outline a file first, then read one symbol. Example: {"query":"Cart/add"}',
      fields: ['worktree', 'path', 'query', 'kinds', 'depth'],
      shape: () => ({
        path: z
          .string()
          .exactOptional()
          .describe('The file; with query a glob or how paths begin.'),
        query: z.string().exactOptional().describe('A part of a name or of a name path.'),
        kinds: z.string().exactOptional().describe('Such as class,function.'),
        depth: z.int().exactOptional().describe('Levels that an outline shows; 1 if absent.'),
      }),
      effect: 'reads',
      repeatable: true,
    },
  ],
  run: async (gateway, { worktree: id, path, query, regex = false, kinds, depth }) => {
    const shown = {
      ...(kinds !== undefined && { kinds: parseKinds(kinds) }),
      ...(depth !== undefined && { depth }),
    }
    const worktree = await gateway.worktree(id)
    if (query === undefined) {
      return answer<OutlineAnswer | SymbolMatches>(await outline(worktree, path, shown))
    }
    const asked = { query, ...(path !== undefined && { path }) }
    if (regex) {
      const searched = await worktree.survey.namesLike(asked)
      return answer(renderMatches(query, searched, { ...shown, fitting: searched.fitting }))
    }
    return answer(renderMatches(query, await worktree.searchSymbols(asked), shown))
  },
  render: renderSymbolsText,
})

async function outline(
  worktree: Worktree,
  path: string | undefined,
  shown: Parameters<typeof renderOutline>[1],
): Promise<OutlineAnswer | SymbolMatches> {
  if (path === undefined) throw new Refusal('INVALID_ARGUMENTS', { problem: 'name path or query' })
  const file = parseRepoPath(path)
  return renderOutline(await worktree.outline(file, await worktree.read(file)), shown)
}

function parseKinds(text: string): readonly SymbolKind[] {
  return text.split(',').map(word => {
    const kind = symbolKinds.find(known => known === word.trim())
    if (kind !== undefined) return kind
    const problem = `unknown kind; known are ${symbolKinds.join(', ')}`
    throw new Refusal('INVALID_ARGUMENTS', { problems: [{ field: 'kinds', problem }] })
  })
}
