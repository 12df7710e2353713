import { z } from 'zod'
import type { AnchorScheme } from '../core/anchor-scheme.js'
import type { Batch } from '../core/batch.js'
import { Refusal } from '../core/errors.js'
import type { Limits } from '../core/limits.js'
import type { Matching } from '../core/matching.js'
import type { Oid } from '../core/oid.js'
import { matchLevels } from '../core/receipt.js'
import { parseRepoPath, type RepoPath } from '../core/repo-path.js'
import { type DialectName, dialectNames, dialectOf } from './dialects/registry.js'
import { invalid } from './ops/checks.js'
import { parseExpectedRev, parseRev } from './ops/parse-edit.js'
import type { Op } from './ops/registry.js'
import { pastedAnchors } from './pasted-anchors.js'
import { readEdits, refuse, requireAtMost } from './read-edits.js'

/** A batch as JSON. What its edits look like is the dialect's business. */
export const batchSchema = z.strictObject({
  edits: z
    .unknown()
    .exactOptional()
    .describe('The edits, in order; all of them or none. What each looks like depends on dialect.'),
  dialect: z
    .enum(dialectNames)
    .exactOptional()
    .describe('How the edits are said; "ops", the native one, where absent.'),
  patch: z
    .string()
    .exactOptional()
    .describe('The edits as one text, instead of edits, for the dialects that are text.'),
  expected_revs: z
    .array(
      z.strictObject({
        path: z.string().describe('Path of a file.'),
        rev: z.string().max(100).describe('The revision you read; "new": there must be none.'),
      }),
    )
    .max(1_000)
    .exactOptional()
    .describe('Revisions of files, for dialects that have no place for them.'),
  message: z
    .string()
    .max(10_000)
    .exactOptional()
    .describe('Commit message; the first line is the subject. Made from the edits where absent.'),
  intent: z.string().max(500).exactOptional().describe('One line that says why.'),
  expected_head: z
    .string()
    .max(100)
    .exactOptional()
    .describe('Full id of the commit you read; it vouches for every file without expected_rev.'),
  on_conflict: z
    .enum(['refuse', 'rebase'])
    .exactOptional()
    .describe(
      'rebase: where a file has changed since the revision you name, apply the edit to that revision and merge; lands only if clean.',
    ),
  require_valid: z
    .boolean()
    .exactOptional()
    .describe('Refuse the batch if a file of a known language would get a syntax error.'),
  first_match: z
    .boolean()
    .exactOptional()
    .describe(
      'apply_patch only: where a hunk fits several places, take the first, as some tools do.',
    ),
  literal: z
    .boolean()
    .exactOptional()
    .describe(
      'Every new text is meant as it stands, though it looks like a placeholder, like lines with their numbers, or like escaped breaks.',
    ),
  max_level: z
    .enum(matchLevels)
    .exactOptional()
    .describe(
      'The most lenient way in which text may be found; never more than the repository allows.',
    ),
  min_similarity: z
    .number()
    .min(0)
    .max(1)
    .exactOptional()
    .describe(
      'How much alike the middle of a block must be at block_anchor; never less than the repository asks.',
    ),
})

type Parsed = z.output<typeof batchSchema>

export interface BatchInput extends Readonly<Omit<Parsed, 'expected_revs'>> {
  readonly expected_revs?: readonly Readonly<NonNullable<Parsed['expected_revs']>[number]>[]
}

export interface ParseOptions {
  /** How the anchors of the worktree's view are made; undefined where it is read without. */
  readonly anchors?: AnchorScheme | undefined
  /** The dialects that edits may be said in; all of them where absent. */
  readonly offered?: readonly DialectName[]
}

/**
 * Reads a batch that fits the schema: dialect, paths, revisions and sizes. Every edit that is refused is named;
 * `UNSUPPORTED_OP` for a dialect that is not among the offered ones.
 */
export function parseBatch(
  input: BatchInput,
  limits: Limits,
  options: ParseOptions = {},
): Batch<Op> {
  requireOffered(input.dialect, options.offered ?? dialectNames)
  const { message, intent, expected_head: head, on_conflict: onConflict } = input
  const ops = withRevisions(sayOps(input, limits, options), input).map(op => withLiteral(op, input))
  requireOps(ops, limits)
  const matching = matchingOf(input)
  refuse(pastedAnchors(ops))
  return {
    ops,
    ...(head !== undefined && { expectedHead: parseRev('expected_head', head) }),
    ...(message !== undefined && { message }),
    ...(intent !== undefined && { intent }),
    ...(onConflict === 'rebase' && { onConflict }),
    ...(input.require_valid === true && { mustBeValid: true }),
    ...(matching && { matching }),
  }
}

/** What the request says of searches for text; undefined where it says nothing. */
function matchingOf({
  max_level: maxLevel,
  min_similarity: minSimilarity,
}: Pick<BatchInput, 'max_level' | 'min_similarity'>): Partial<Matching> | undefined {
  if (maxLevel === undefined && minSimilarity === undefined) return undefined
  return {
    ...(maxLevel !== undefined && { maxLevel }),
    ...(minSimilarity !== undefined && { minSimilarity }),
  }
}

function sayOps(input: BatchInput, limits: Limits, { anchors }: ParseOptions): readonly Op[] {
  const context = { limits, takesFirst: input.first_match ?? false, anchors }
  return readEdits(dialectOf(input.dialect), input, context)
}

function requireOffered(dialect: DialectName = 'ops', offered: readonly DialectName[]): void {
  if (!offered.includes(dialect)) throw new Refusal('UNSUPPORTED_OP', { dialect, use: offered })
}

/** Revisions that were said beside the edits, for the first op of each file that names none. */
function withRevisions(ops: readonly Op[], { expected_revs: revs }: BatchInput): readonly Op[] {
  if (revs === undefined) return ops
  const named = new Map<RepoPath, Oid | null>(
    revs.map(({ path, rev }) => [parseRepoPath(path), parseExpectedRev(rev)]),
  )
  const unknown = [...named.keys()].find(path => ops.every(op => op.path !== path))
  if (unknown !== undefined) throw invalid('expected_revs', 'names a file that no edit touches')
  return ops.map(op => {
    const rev = named.get(op.path)
    return rev === undefined || op.expected_rev !== undefined ? op : { ...op, expected_rev: rev }
  })
}

function withLiteral(op: Op, { literal }: BatchInput): Op {
  return literal === true ? { ...op, literal } : op
}

function requireOps(ops: readonly Op[], { batchOps }: Limits): void {
  if (ops.length === 0)
    throw new Refusal('DIALECT_UNPARSABLE', { line: 1, problem: 'holds no edit' })
  requireAtMost(ops.length, batchOps)
}
