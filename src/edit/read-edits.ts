import { Refusal } from '../core/errors.js'
import type { Limits } from '../core/limits.js'
import type { Dialect, DialectContext, EditsDialect } from './dialects/dialect.js'
import { type Failure, refuseBatch } from './failures.js'
import { invalid } from './ops/checks.js'
import type { Op } from './ops/registry.js'

/** Problems of one request that are told. */
const reportedProblems = 20

/** The edits of a request: a list for dialects of objects, one text for the others. */
export interface SaidEdits {
  readonly edits?: unknown
  readonly patch?: string
}

/** The ops of what was said in a dialect. Every edit that is refused is named. */
export function readEdits(
  dialect: Dialect,
  input: SaidEdits,
  context: DialectContext,
): readonly Op[] {
  if (dialect.kind === 'edits') {
    if (input.patch !== undefined) throw invalid('patch', `is not read by dialect ${dialect.name}`)
    return parseEdits(dialect, listEdits(input.edits, context.limits), context)
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
  requireAtMost(list.length, batchOps)
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
  const fitting = fittingEdits(dialect, edits)
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

/** Refuses a batch some of whose edits have failed. */
export function refuse(failures: readonly Failure[]): void {
  const refusal = refuseBatch(failures)
  if (refusal !== undefined) throw refusal
}

/** The edits as their schema reads them; every field that does not fit is named. */
function fittingEdits(dialect: EditsDialect, edits: readonly unknown[]): readonly unknown[] {
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

/** Refuses more edits than a batch may hold. */
export function requireAtMost(actual: number, limit: number): void {
  if (actual > limit) throw new Refusal('TOO_LARGE', { what: 'edits', limit, actual })
}
