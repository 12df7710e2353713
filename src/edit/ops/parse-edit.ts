import { z } from 'zod'
import type { Limits } from '../../core/limits.js'
import { isOid, isShortOid, type Oid, parseOid, parseShortOid } from '../../core/oid.js'
import { parseRepoPath } from '../../core/repo-path.js'
import { invalid } from './checks.js'
import { type Op, opTypeOf, opTypes } from './registry.js'

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

export type EditInput = z.output<typeof editSchema>

/** The op that an edit of the schema asks for. */
export function parseEdit(edit: EditInput, limits: Limits): Op {
  const { expected_rev: rev, ...rest } = edit
  const op = {
    ...rest,
    path: parseRepoPath(edit.path),
    ...('to' in edit && { to: parseRepoPath(edit.to) }),
    ...(rev !== undefined && { expected_rev: parseExpectedRev(rev) }),
  } as Op
  return checkOp(op, limits)
}

/** The same op, refused where something is wrong with it whatever the file holds. */
export function checkOp(op: Op, limits: Limits): Op {
  opTypeOf(op).check(op, limits)
  return op
}

/** The word "new" says null where a schema cannot. The first digits of a revision are enough; they are written out before it is compared. */
export function parseExpectedRev(rev: string | null): Oid | null {
  if (rev === null || rev === 'new') return null
  return isShortOid(rev) ? parseShortOid(rev) : parseRev('expected_rev', rev)
}

/** A full object id from outside, for one field. */
export function parseRev(field: string, rev: string): Oid {
  if (!isOid(rev))
    throw invalid(field, 'is not an object id, nor at least the first twelve digits of one')
  return parseOid(rev)
}

/** Says which ops there are where none of them was asked for; other problems speak for themselves. */
function unknownOp(issue: {
  readonly code?: string
  readonly input?: unknown
}): string | undefined {
  return issue.code === 'invalid_union' ? `Unknown op; known are ${opNames.join(', ')}` : undefined
}
