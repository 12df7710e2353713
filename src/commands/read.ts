import { z } from 'zod'
import { parseRepoPath } from '../core/repo-path.js'
import { renderRead } from '../report/read-view.js'
import { renderReadText } from '../report/render-text.js'
import { answer, defineCommand } from './command.js'
import { entityTag } from './entity-tag.js'
import { pathField, worktreeField } from './fields.js'
import { parseLineRange } from './line-range.js'

/** Reads a file with its revision; as bytes, the blob itself. */
export const read = defineCommand({
  name: 'read',
  summary: 'Read a file, or some of its lines, with the revision that an edit must name.',
  input: z.strictObject({
    worktree: worktreeField,
    path: pathField,
    lines: z
      .string()
      .max(40)
      .exactOptional()
      .describe('Lines to answer, from 1 and both included, such as "10-40" or "10-".'),
    view: z
      .enum(['plain', 'numbered'])
      .exactOptional()
      .describe('Text as it stands, or each line after its number and a tab.'),
    known_rev: z
      .string()
      .max(2_000)
      .exactOptional()
      .describe('A revision you hold; the answer is only that it is unchanged, where it still is.'),
    raw: z.boolean().exactOptional().describe('Answer the bytes of the blob itself.'),
  }),
  bind: {
    worktree: 'path',
    path: 'query',
    lines: 'query',
    view: 'query',
    known_rev: 'header:if-none-match',
    raw: 'accept:application/octet-stream',
  },
  routes: [{ method: 'GET', path: '/v1/worktrees/:worktree/file' }],
  access: 'read',
  positionals: ['path'],
  run: async (gateway, input) => {
    const path = parseRepoPath(input.path)
    const { view = 'plain', raw = false } = input
    const range = input.lines === undefined ? {} : { lines: parseLineRange(input.lines) }
    const worktree = await gateway.worktree(input.worktree)
    const blob = await worktree.read(path)
    const headers = { etag: entityTag(blob.oid), vary: 'accept' }
    if (isKnown(blob.oid, input.known_rev)) return { kind: 'unchanged', headers }
    if (raw) return { kind: 'bytes', bytes: blob.bytes, headers }
    return answer(renderRead(path, blob, { ...range, view }, gateway.limits), { headers })
  },
  render: renderReadText,
})

function isKnown(rev: string, known: string | undefined): boolean {
  return known === '*' || (known?.split(',').includes(rev) ?? false)
}
