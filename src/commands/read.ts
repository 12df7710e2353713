import { z } from 'zod'
import type { AnchorScheme } from '../core/anchor-scheme.js'
import { Refusal } from '../core/errors.js'
import { fixedLimits } from '../core/limits.js'
import { parseRepoPath } from '../core/repo-path.js'
import type { FileAnswer, ManyFilesAnswer } from '../report/read-answers.js'
import type { ReadOptions } from '../report/read-view.js'
import { renderReadText } from '../report/render-read-text.js'
import { readAnswer } from './answers/reading.js'
import { type Answer, answer, defineCommand } from './command.js'
import { editsDialect } from './edit-tools.js'
import { entityTag } from './entity-tag.js'
import { pathField, worktreeField } from './fields.js'
import { value } from './output.js'
import {
  isHeld,
  openedFile,
  type Reading,
  readBlob,
  readBudget,
  readFiles,
  showFile,
} from './read-files.js'
import { type ReadTarget, readTarget } from './read-target.js'

const revsField = z.string().max(4_200)

/** Reads a file with its revision, or several; as bytes, the blob itself. */
export const read = defineCommand({
  name: 'read',
  summary: 'Read a file, or some of its lines, with the revision that an edit must name.',
  input: z.strictObject({
    worktree: worktreeField,
    path: pathField.exactOptional(),
    paths: z
      .array(z.string())
      .min(1)
      .max(fixedLimits.readPaths)
      .exactOptional()
      .describe(
        'Instead of path: several files, each as path, path:10-40, path:10-40,90-99, path::Class/method, or path@31,90 for the declarations around these lines with others in them folded; in a query one a line.',
      ),
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
    if_rev: revsField
      .exactOptional()
      .describe(
        'A revision you hold, or several with commas; a file that still is that one is only told to be so.',
      ),
    known_rev: revsField
      .exactOptional()
      .describe('The same as a header; nothing is answered where it still is that one.'),
    max_bytes: z
      .int()
      .min(200)
      .max(100_000_000)
      .exactOptional()
      .describe('Bytes of text to answer at most, of all files together.'),
    raw: z.boolean().exactOptional().describe('Answer the bytes of the blob itself.'),
  }),
  bind: {
    worktree: 'path',
    path: 'query',
    paths: 'query',
    lines: 'query',
    symbol: 'query',
    context_lines: 'query',
    view: 'query',
    if_rev: 'query',
    known_rev: 'header:if-none-match',
    max_bytes: 'query',
    raw: 'accept:application/octet-stream',
  },
  routes: [{ method: 'GET', path: '/v1/worktrees/:worktree/file' }],
  access: 'read',
  output: value(readAnswer),
  positionals: ['path'],
  tools: [
    {
      name: 'read_file',
      title: 'Read a file',
      description: ({ dialects }) =>
        [
          'Read a file (path), or several files or parts (paths), with the rev that an edit must name as expected_rev. Of a long file the beginning and an outline are shown: go on by symbol, else by lines ("1-" is all).',
          ...(editsDialect(dialects) === 'hashline'
            ? [
                'Each line stands behind its anchor, as in 22:abc:rst→text; edits name lines by anchors.',
              ]
            : []),
          'Example: {"paths":["src/cart.ts::Cart/add","src/tax.ts@31"]}',
        ].join(' '),
      fields: ['worktree', 'path', 'paths', 'lines', 'symbol', 'context_lines', 'view', 'if_rev'],
      shape: ({ dialects }) => ({
        path: z.string().exactOptional().describe('Path from the root of the repository.'),
        paths: z
          .array(z.string())
          .exactOptional()
          .describe(
            'Instead of path: each as path, path:10-40, path::Class/method, or path@31,90: the declarations around lines.',
          ),
        lines: z.string().exactOptional().describe('Such as "10-40" or "10-".'),
        symbol: z.string().exactOptional().describe('Instead of lines: a name or name path.'),
        context_lines: z.int().exactOptional().describe('Lines around the symbol.'),
        view:
          editsDialect(dialects) === 'hashline'
            ? undefined
            : z
                .enum(['plain', 'numbered'])
                .exactOptional()
                .describe(
                  'numbered: each line after its number and a tab, which are no part of it.',
                ),
        if_rev: z.string().exactOptional().describe('Revs you hold, with commas.'),
      }),
      effect: 'reads',
      repeatable: true,
    },
  ],
  run: async (
    gateway,
    input,
    { limits: bounds = gateway.limits, words },
  ): Promise<Answer<FileAnswer | ManyFilesAnswer>> => {
    const target = requireOne(input)
    const { raw = false, if_rev: ifRev, paths = [] } = input
    const worktree = await gateway.worktree(input.worktree)
    const view = raw ? 'plain' : chooseView(input.view, worktree.checkout.anchors)
    const limits = readBudget(bounds, input.max_bytes)
    const reading: Reading = { worktree, view, limits, ifRev, words }
    if (target === undefined) return answer(await readFiles(paths, reading))
    const path = parseRepoPath(target.path)
    const blob = await readBlob(worktree, path)
    const headers = { etag: entityTag(blob.oid), vary: 'accept' }
    if (isHeld(blob.oid, input.known_rev)) return { kind: 'unchanged', headers }
    if (isHeld(blob.oid, ifRev)) return answer({ path, rev: blob.oid, not_modified: true })
    if (raw) return { kind: 'bytes', bytes: blob.bytes, headers }
    return answer(await showFile(openedFile(path, blob), target, reading), { headers })
  },
  render: renderReadText,
})

interface Asked {
  readonly path?: string
  readonly paths?: readonly string[]
  readonly lines?: string
  readonly symbol?: string
  readonly context_lines?: number
  readonly known_rev?: string
  readonly raw?: boolean
}

/** The one file that is asked for; undefined for several. */
function requireOne({ path, paths, ...asked }: Asked): ReadTarget | undefined {
  if (path !== undefined && paths === undefined) return readTarget({ path, ...asked })
  const { lines, symbol, context_lines: around, known_rev: known, raw } = asked
  const ofOne = [path, lines, symbol, around, known, raw || undefined]
  if (paths !== undefined && ofOne.every(value => value === undefined)) return undefined
  const problem =
    'name path or paths; lines, symbol, context_lines, raw and If-None-Match go with path only'
  throw new Refusal('INVALID_ARGUMENTS', { problem })
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
