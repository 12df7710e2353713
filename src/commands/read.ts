import { z } from 'zod'
import type { AnchorScheme } from '../core/anchor-scheme.js'
import type { Blob } from '../core/blob.js'
import { Refusal } from '../core/errors.js'
import type { LineRange } from '../core/receipt.js'
import { parseRepoPath, type RepoPath } from '../core/repo-path.js'
import { pickSymbol } from '../formats/code/pick-symbol.js'
import type { Worktree } from '../gateway/worktree.js'
import { type ReadOptions, renderRead } from '../report/read-view.js'
import { renderReadText } from '../report/render-text.js'
import { readAnswer } from './answers/reading.js'
import { answer, defineCommand } from './command.js'
import { entityTag } from './entity-tag.js'
import { pathField, worktreeField } from './fields.js'
import { parseLineRange } from './line-range.js'
import { value } from './output.js'

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
    symbol: z
      .string()
      .min(1)
      .max(400)
      .exactOptional()
      .describe(
        'Instead of lines: a name, or a name path such as Class/method, whose whole statement is answered.',
      ),
    context_lines: z
      .int()
      .min(0)
      .max(200)
      .exactOptional()
      .describe('Lines before and after the symbol to answer with it.'),
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
    symbol: 'query',
    context_lines: 'query',
    view: 'query',
    known_rev: 'header:if-none-match',
    raw: 'accept:application/octet-stream',
  },
  routes: [{ method: 'GET', path: '/v1/worktrees/:worktree/file' }],
  access: 'read',
  output: value(readAnswer),
  positionals: ['path'],
  run: async (gateway, input) => {
    const path = parseRepoPath(input.path)
    const { raw = false } = input
    const range = input.lines === undefined ? {} : { lines: parseLineRange(input.lines) }
    requireOneChoice(input)
    const worktree = await gateway.worktree(input.worktree)
    const { anchors } = worktree.checkout
    const view = raw ? 'plain' : chooseView(input.view, anchors)
    const blob = await worktree.read(path)
    const headers = { etag: entityTag(blob.oid), vary: 'accept' }
    if (isKnown(blob.oid, input.known_rev)) return { kind: 'unchanged', headers }
    if (raw) return { kind: 'bytes', bytes: blob.bytes, headers }
    const lines = await symbolLines(worktree, path, blob, input)
    const options = { ...range, ...(lines && { lines }), view, anchors }
    return answer(renderRead(path, blob, options, gateway.limits), { headers })
  },
  render: renderReadText,
})

interface Asked {
  readonly lines?: string
  readonly symbol?: string
  readonly context_lines?: number
  readonly raw?: boolean
}

function requireOneChoice({ lines, symbol, context_lines: around, raw }: Asked): void {
  const isTwice = symbol !== undefined && (lines !== undefined || raw === true)
  if (!isTwice && (around === undefined || symbol !== undefined)) return
  const problem = 'symbol goes without lines and raw, and context_lines only with symbol'
  throw new Refusal('INVALID_ARGUMENTS', { problem })
}

/** The lines of the symbol that was asked for, with those around it; undefined where none was. */
async function symbolLines(
  worktree: Worktree,
  path: RepoPath,
  blob: Blob,
  { symbol: query, context_lines: around = 0 }: Asked,
): Promise<LineRange | undefined> {
  if (query === undefined) return undefined
  const { outline } = await worktree.outline(path, blob)
  const { start_line: start, end_line: end } = pickSymbol(outline, query)
  return { start: Math.max(1, start - around), end: end + around }
}

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
