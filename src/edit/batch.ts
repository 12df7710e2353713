import { z } from 'zod'
import type { AnchorScheme } from '../core/anchor-scheme.js'
import type { Batch } from '../core/batch.js'
import { Refusal } from '../core/errors.js'
import type { Limits } from '../core/limits.js'
import type { Matching } from '../core/matching.js'
import type { Oid } from '../core/oid.js'
import { matchLevels } from '../core/receipt.js'
import { parseRepoPath, type RepoPath } from '../core/repo-path.js'
import type { Dialect, DialectContext, EditsDialect } from './dialects/dialect.js'
import { type DialectName, dialectNames, dialectOf } from './dialects/registry.js'
import { type Failure, refuseBatch } from './failures.js'
import { invalid } from './ops/checks.js'
import { parseExpectedRev, parseRev } from './ops/parse-edit.js'
import type { Op } from './ops/registry.js'
import { pastedAnchors } from './pasted-anchors.js'

/** Problems of one request that are told. */
const reportedProblems = 20

/** A batch as JSON. What its edits look like is the dialect's business. */
export const batchSchema = z.strictObject({
  edits: z
    .unknown()
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

export interface BatchInput extends Readonly<Omit<Parsed, 'edits' | 'expected_revs'>> {
  readonly edits?: unknown
  readonly expected_revs?: readonly Readonly<NonNullable<Parsed['expected_revs']>[number]>[]
}

export interface ParseOptions {
  /** The dialects that are offered; all of them where absent. */
  readonly dialects?: readonly DialectName[] | undefined
  /** How the anchors of the worktree's view are made; undefined where it is read without. */
  readonly anchors?: AnchorScheme | undefined
}

/**
 * Reads a batch that fits the schema: dialect, paths, revisions and sizes. Every edit that is refused is named;
 * `UNSUPPORTED_OP` for a dialect that is not among the offered ones, and for text with the anchors of a view in it.
 */
export function parseBatch(
  input: BatchInput,
  limits: Limits,
  options: ParseOptions = {},
): Batch<Op> {
  requireOffered(input.dialect, options.dialects ?? dialectNames)
  const { message, intent, expected_head: head, on_conflict: onConflict } = input
  const read = withRevisions(parseOps(input, limits, options), input)
  const ops = read.map(op => withLiteral(op, input))
  requireOps(ops, limits)
  refuse(pastedAnchors(ops))
  const matching = matchingOf(input)
  return {
    ops,
    ...(head !== undefined && { expectedHead: parseRev('expected_head', head) }),
    ...(message !== undefined && { message }),
    ...(intent !== undefined && { intent }),
    ...(onConflict === 'rebase' && { onConflict }),
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

function requireOffered(dialect: DialectName = 'ops', offered: readonly DialectName[]): void {
  if (!offered.includes(dialect)) throw new Refusal('UNSUPPORTED_OP', { dialect, use: offered })
}

function parseOps(input: BatchInput, limits: Limits, { anchors }: ParseOptions): readonly Op[] {
  const dialect: Dialect = dialectOf(input.dialect)
  const context = { limits, takesFirst: input.first_match ?? false, anchors }
  if (dialect.kind === 'edits') {
    if (input.patch !== undefined) throw invalid('patch', `is not read by dialect ${dialect.name}`)
    return parseEdits(dialect, listEdits(input.edits, limits), context)
  }
  if (input.edits !== undefined) {
    throw invalid('edits', `dialect ${dialect.name} is text; send it as patch`)
  }
  if (input.patch === undefined) throw invalid('patch', 'is missing')
  return dialect.toOps(input.patch, context)
}

/** Models send a list, a single edit, or either as a JSON text within the JSON; all mean the same. */
function listEdits(edits: unknown, { batchOps }: Limits): readonly unknown[] {
  const value = typeof edits === 'string' ? parseJsonText(edits) : edits
  if (value === undefined) throw invalid('edits', 'is missing')
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (list.length === 0) throw invalid('edits', 'is empty')
  requireCount(list.length, batchOps)
  return list
}

function parseJsonText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalid('edits', 'is a text that is not whole JSON; send a list of objects')
  }
}

function parseEdits(
  dialect: EditsDialect,
  edits: readonly unknown[],
  context: DialectContext,
): readonly Op[] {
  const fitting = readEdits(dialect, edits)
  const ops: Op[] = []
  const failures: Failure[] = []
  for (const [index, edit] of fitting.entries()) {
    try {
      for (const op of dialect.toOps(edit, context)) ops.push(withPlace(op, dialect, index))
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal
      failures.push({ index, ...nameEdit(edit, dialect), refusal })
    }
  }
  if (failures.length === 0) failures.push(...conflictsOf(dialect, ops))
  refuse(failures)
  return ops
}

function conflictsOf(dialect: EditsDialect, ops: readonly Op[]): readonly Failure[] {
  const conflicts = dialect.conflicts?.(ops) ?? []
  return conflicts.map(({ op, refusal }) => ({
    index: ops.indexOf(op),
    op: op.op,
    path: op.path,
    refusal,
    said: op.said,
  }))
}

function refuse(failures: readonly Failure[]): void {
  const refusal = refuseBatch(failures)
  if (refusal !== undefined) throw refusal
}

/** The edits as their schema reads them; every field that does not fit is named. */
function readEdits(dialect: EditsDialect, edits: readonly unknown[]): readonly unknown[] {
  const parsed = edits.map(edit => dialect.edit.safeParse(edit))
  const problems = parsed.flatMap(({ error }, index) =>
    (error?.issues ?? []).map(issue => ({
      field: ['edits', index, ...issue.path].join('.'),
      problem: issue.message,
    })),
  )
  if (problems.length > 0) {
    throw new Refusal('INVALID_ARGUMENTS', { problems: problems.slice(0, reportedProblems) })
  }
  return parsed.map(({ data }) => data)
}

/** A native edit is one op, so that its place is the op's own. */
function withPlace(op: Op, { name }: EditsDialect, edit: number): Op {
  return name === 'ops' ? op : { ...op, said: { edit } }
}

function nameEdit(
  edit: unknown,
  { name }: EditsDialect,
): { readonly op: string; readonly path: string } {
  const { op, ...rest } = edit as Readonly<Record<string, unknown>>
  const path = rest.path ?? rest.file_path ?? rest.filePath
  return {
    op: typeof op === 'string' ? op : name,
    path: typeof path === 'string' ? path.slice(0, 200) : '',
  }
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
  requireCount(ops.length, batchOps)
}

function requireCount(actual: number, limit: number): void {
  if (actual > limit) throw new Refusal('TOO_LARGE', { what: 'edits', limit, actual })
}
