import { z } from 'zod'
import type { Batch } from '../core/batch.js'
import { Refusal } from '../core/errors.js'
import type { Limits } from '../core/limits.js'
import { isOid, type Oid, parseOid } from '../core/oid.js'
import { parseRepoPath } from '../core/repo-path.js'
import { type Failure, refuseBatch } from './failures.js'
import { invalid } from './ops/checks.js'
import { type Op, opTypeOf, opTypes } from './ops/registry.js'

type SchemasOf<Types extends readonly { readonly schema: z.ZodObject }[]> = {
  readonly [Index in keyof Types]: Types[Index]['schema']
}

const opNames = opTypes.map(({ name }) => name)

/** One edit as JSON: which op, on which file, and what the op needs. */
export const editSchema = z.discriminatedUnion(
  'op',
  opTypes.map(({ schema }) => schema) as unknown as SchemasOf<typeof opTypes>,
  { error: issue => unknownOp(issue) },
)

/** A batch as JSON. */
export const batchSchema = z.strictObject({
  edits: z.array(editSchema).min(1).describe('The edits, in order; all of them or none.'),
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
})

export type EditInput = z.output<typeof editSchema>
export type BatchInput = z.output<typeof batchSchema>

/** Reads a batch that fits the schema: paths, revisions and sizes. Every edit that is refused is named. */
export function parseBatch(input: BatchInput, limits: Limits): Batch<Op> {
  const { edits, message, intent, expected_head: head } = input
  if (edits.length > limits.batchOps) {
    throw new Refusal('TOO_LARGE', {
      what: 'edits',
      limit: limits.batchOps,
      actual: edits.length,
    })
  }
  return {
    ops: parseEdits(edits, limits),
    ...(head !== undefined && { expectedHead: parseRev('expected_head', head) }),
    ...(message !== undefined && { message }),
    ...(intent !== undefined && { intent }),
  }
}

function parseEdits(edits: readonly EditInput[], limits: Limits): readonly Op[] {
  const ops: Op[] = []
  const failures: Failure[] = []
  for (const [index, edit] of edits.entries()) {
    try {
      ops.push(parseEdit(edit, limits))
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal
      failures.push({ index, op: edit.op, path: edit.path.slice(0, 200), refusal })
    }
  }
  const refusal = refuseBatch(failures)
  if (refusal !== undefined) throw refusal
  return ops
}

function parseEdit(edit: EditInput, limits: Limits): Op {
  const { expected_rev: rev, ...rest } = edit
  const op = {
    ...rest,
    path: parseRepoPath(edit.path),
    ...('to' in edit && { to: parseRepoPath(edit.to) }),
    ...(rev !== undefined && { expected_rev: parseExpectedRev(rev) }),
  } as Op
  opTypeOf(op).check(op, limits)
  return op
}

/** The word "new" says null where a schema cannot. */
function parseExpectedRev(rev: string | null): Oid | null {
  return rev === null || rev === 'new' ? null : parseRev('expected_rev', rev)
}

function parseRev(field: string, rev: string): Oid {
  if (!isOid(rev)) throw invalid(field, 'is not a full object id')
  return parseOid(rev)
}

/** Says which ops there are where none of them was asked for; other problems speak for themselves. */
function unknownOp(issue: {
  readonly code?: string
  readonly input?: unknown
}): string | undefined {
  return issue.code === 'invalid_union' ? `Unknown op; known are ${opNames.join(', ')}` : undefined
}
