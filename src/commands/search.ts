import { z } from 'zod'
import { fixedLimits } from '../core/limits.js'
import { parseRepoPath } from '../core/repo-path.js'
import { renderSearchText } from '../report/search-view.js'
import { searchAnswer } from './answers/searching.js'
import { answer, defineCommand } from './command.js'
import { worktreeField } from './fields.js'
import { value } from './output.js'

const { patternChars, searchHits, maxSearchHits, searchBytes, maxSearchBytes, searchContext } =
  fixedLimits

/** Where a text, a pattern or a name stands. */
export const search = defineCommand({
  name: 'search',
  summary: 'Find lines by text or pattern, with the revision of each file and the symbol around.',
  input: z.strictObject({
    worktree: worktreeField,
    pattern: z
      .string()
      .min(1)
      .max(patternChars)
      .regex(/^(?:\t|\P{Cc})*$/u, 'holds a line break or a control character; look for one line')
      .describe('What to look for, on one line.'),
    mode: z
      .enum(['literal', 'regex', 'symbols'])
      .exactOptional()
      .describe(
        'literal: the text as it is, which is what holds where nothing is said; regex: a pattern without look-around and back-references; symbols: declarations whose names hold it.',
      ),
    path: z.string().exactOptional().describe('Only this file or directory.'),
    glob: z
      .string()
      .max(1_000)
      .exactOptional()
      .describe('Only paths that fit, such as src/**/*.ts.'),
    case: z
      .enum(['sensitive', 'ignore'])
      .exactOptional()
      .describe('Whether upper and lower case differ; they do where nothing is said.'),
    context: z
      .int()
      .min(0)
      .max(searchContext)
      .exactOptional()
      .describe('Lines to show before and after each hit; none where nothing is said.'),
    limit: z
      .int()
      .min(1)
      .max(maxSearchHits)
      .exactOptional()
      .describe(`Hits to answer; ${searchHits} where nothing is said.`),
    max_bytes: z
      .int()
      .min(500)
      .max(maxSearchBytes)
      .exactOptional()
      .describe(`Bytes of the answer as text; ${searchBytes} where nothing is said.`),
    after: z
      .string()
      .max(4_096)
      .exactOptional()
      .describe('Only files after this path; `next` of the answer before.'),
    if_result: z
      .string()
      .max(64)
      .exactOptional()
      .describe('`result` of an answer that you still have; the same again is told in one line.'),
  }),
  bind: {
    worktree: 'path',
    pattern: 'query',
    mode: 'query',
    path: 'query',
    glob: 'query',
    case: 'query',
    context: 'query',
    limit: 'query',
    max_bytes: 'query',
    after: 'query',
    if_result: 'query',
  },
  routes: [{ method: 'GET', path: '/v1/worktrees/:worktree/search' }],
  access: 'read',
  output: value(searchAnswer),
  positionals: ['pattern', 'path'],
  tools: [
    {
      name: 'search_code',
      title: 'Search',
      description:
        'Find lines by text (literal) or pattern (regex), or declarations by name (symbols), with the rev of each file and the symbol around each hit, so that an edit can follow without a read. Narrow with path or glob before you raise limit. Example: {"pattern":"total(","glob":"src/**/*.ts"}',
      fields: ['worktree', 'pattern', 'mode', 'path', 'glob', 'case', 'context', 'limit', 'after'],
      shape: () => ({
        pattern: z.string().describe('On one line.'),
        mode: z
          .enum(['literal', 'regex', 'symbols'])
          .exactOptional()
          .describe('literal if absent.'),
        path: z.string().exactOptional().describe('Only this file or directory.'),
        glob: z.string().exactOptional().describe('Only paths that fit.'),
        case: z.enum(['sensitive', 'ignore']).exactOptional().describe('sensitive if absent.'),
        context: z.int().exactOptional().describe('Lines around a hit.'),
        limit: z.int().exactOptional().describe('Hits.'),
        after: z.string().exactOptional().describe('next of a cut answer.'),
      }),
      effect: 'reads',
      repeatable: true,
    },
  ],
  run: async (gateway, input) => {
    const path = input.path === undefined ? '' : parseRepoPath(input.path)
    const worktree = await gateway.worktree(input.worktree)
    const query = {
      pattern: input.pattern,
      mode: input.mode ?? 'literal',
      path,
      glob: input.glob,
      ignoreCase: input.case === 'ignore',
      context: input.context ?? 0,
      limit: input.limit ?? searchHits,
      maxBytes: input.max_bytes ?? searchBytes,
      after: input.after,
    }
    return answer(await worktree.survey.search(query, input.if_result))
  },
  render: renderSearchText,
})
