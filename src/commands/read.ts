import { z } from 'zod'
import type { AnchorScheme } from '../core/anchor-scheme.js'
import { Refusal } from '../core/errors.js'
import { parseRepoPath } from '../core/repo-path.js'
import { type ReadOptions, renderRead } from '../report/read-view.js'
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
      .enum(['plain', 'numbered', 'hashline'])
      .exactOptional()
      .describe(
        'Text as it stands, each line after its number and a tab, or each after its anchor; the view that the worktree was opened with where absent.',
      ),
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
    const { raw = false } = input
    const range = input.lines === undefined ? {} : { lines: parseLineRange(input.lines) }
    const worktree = await gateway.worktree(input.worktree)
    const { anchors } = worktree.checkout
    const view = raw ? 'plain' : chooseView(input.view, anchors)
    const blob = await worktree.read(path)
    const headers = { etag: entityTag(blob.oid), vary: 'accept' }
    if (isKnown(blob.oid, input.known_rev)) return { kind: 'unchanged', headers }
    if (raw) return { kind: 'bytes', bytes: blob.bytes, headers }
    return answer(renderRead(path, blob, { ...range, view, anchors }, gateway.limits), { headers })
  },
  render: renderReadText,
})

/** One view in a worktree: a model that is shown lines in two ways mixes them up. `UNSUPPORTED_OP` for the other one. */
function chooseView(
  asked: ReadOptions['view'] | undefined,
  anchors: AnchorScheme | undefined,
): ReadOptions['view'] {
  const isAnchored = anchors !== undefined
  const view = asked ?? (isAnchored ? 'hashline' : 'plain')
  if ((view === 'hashline') === isAnchored) return view
  const use = isAnchored ? ['hashline'] : ['plain', 'numbered']
  const reason = `this worktree was opened with view ${isAnchored ? 'hashline' : 'plain'}, and has only that one`
  throw new Refusal('UNSUPPORTED_OP', { view, reason, use })
}

function isKnown(rev: string, known: string | undefined): boolean {
  return known === '*' || (known?.split(',').includes(rev) ?? false)
}
