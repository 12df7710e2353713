import { z } from 'zod'
import type { AnchorScheme } from '../../core/anchor-scheme.js'
import { Refusal } from '../../core/errors.js'
import { anchorRules, parseAnchor } from '../../formats/text/anchors.js'
import { invalid } from '../ops/checks.js'
import { expectedRevField, pathField } from '../ops/fields.js'
import { endAnchor, startAnchor } from '../ops/insert-anchored.js'
import { checkOp } from '../ops/parse-edit.js'
import type { Op } from '../ops/registry.js'
import { defineEditsDialect, type OpConflict } from './dialect.js'
import { fileOf } from './replace-fields.js'

const stepShape = {
  op: z
    .enum(['replace', 'insert_after', 'insert_before', 'delete', 'write'])
    .describe('What to do; write replaces the whole file and stands alone.'),
  anchor: z
    .string()
    .exactOptional()
    .describe(
      'Anchor of the (first) line as the hashline view shows it; "0:" and "EOF" to insert at the start and the end.',
    ),
  end_anchor: z.string().exactOptional().describe('Anchor of the last line, included.'),
  content: z
    .string()
    .exactOptional()
    .describe(
      'The new lines without anchors; one final newline is not a line more. Nothing at all: replace takes the lines away, insert puts in an empty line.',
    ),
}

const stepSchema = z.strictObject(stepShape)

type Step = z.output<typeof stepSchema>

/**
 * Lines that are named by the anchors of the read view `hashline`:
 *
 *     edit   := { path | file_path, expected_rev?, step... }      one step
 *             | { path | file_path, expected_rev?, edits }        a list of steps, or a single one; either also as JSON text
 *     step   := op: "replace",                      anchor, end_anchor?, content
 *             | op: "delete",                       anchor, end_anchor?
 *             | op: "insert_after"|"insert_before", anchor | "0:" | "EOF", content
 *             | op: "write",                        content
 *     anchor := LINE ":" LOCAL [ ":" CONTEXT ] [ ("→" | "->" | "|") anything ]
 *
 * Lenient: what was copied behind an anchor is ignored. Strict: an anchor without its line, or without
 * a hash that the view shows, is refused, and so is one whose line has changed. Anchors mean the file
 * as it was read, whatever the steps before have done; steps that touch the same lines are refused,
 * and so is an insertion just before a line that another step replaces.
 */
export const hashline = defineEditsDialect({
  name: 'hashline',
  summary:
    'Each edit names lines by their anchors in the hashline view, in a worktree opened with that view.',
  edit: z.strictObject({
    path: pathField.exactOptional(),
    file_path: pathField.exactOptional(),
    expected_rev: expectedRevField.exactOptional(),
    ...stepShape,
    op: stepShape.op.exactOptional(),
    edits: z
      .unknown()
      .exactOptional()
      .describe('Several steps of one file, instead of op: a list of them.'),
  }),
  toOps: (edit, { limits, anchors }) => {
    if (anchors === undefined) throw plainView()
    const { path, file_path: filePath, expected_rev: rev, edits, ...step } = edit
    const steps = edits === undefined ? [parseStep(step)] : listSteps(edits, step)
    const file = fileOf(path ?? filePath ?? '', rev)
    return steps.map(one => checkOp({ ...file, ...changeOf(one, anchors) }, limits))
  },
  conflicts: ops => [...crowdedWrites(ops), ...touchingInserts(ops)],
})

function plainView(): Refusal {
  return new Refusal('UNSUPPORTED_OP', {
    reason: 'this worktree is read without anchors; open another one with view hashline',
    use: ['ops', 'search_replace'],
  })
}

function listSteps(edits: unknown, outer: object): readonly Step[] {
  if (Object.keys(outer).length > 0)
    throw invalid('edits', 'is given beside op; only one of them can be the edit')
  const value = typeof edits === 'string' ? parseJsonText(edits) : edits
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (list.length === 0) throw invalid('edits', 'is empty')
  return list.map(one => parseStep(one, 'edits'))
}

function parseJsonText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalid('edits', 'is a text that is not whole JSON; send a list of objects')
  }
}

function parseStep(step: unknown, ...place: readonly string[]): Step {
  const { data, error } = stepSchema.safeParse(step)
  if (data !== undefined) return data
  const [issue] = error.issues
  throw invalid([...place, ...(issue?.path ?? [])].join('.'), issue?.message ?? 'does not fit')
}

type Change =
  | Pick<Extract<Op, { op: 'write_file' }>, 'op' | 'text'>
  | Pick<Extract<Op, { op: 'insert_anchored' }>, 'op' | 'anchor' | 'anchors' | 'side' | 'text'>
  | Pick<
      Extract<Op, { op: 'replace_anchored' }>,
      'op' | 'anchor' | 'end_anchor' | 'anchors' | 'text'
    >

function changeOf(step: Step, anchors: AnchorScheme): Change {
  const { op, content, end_anchor: end } = step
  if (content === undefined && op !== 'delete') throw invalid('content', 'is missing')
  if (content !== undefined && content !== '' && op === 'delete')
    throw invalid('content', 'is not for delete')
  const text = content ?? ''
  if (op === 'write') {
    if (step.anchor !== undefined || end !== undefined) throw invalid('anchor', 'is not for write')
    return { op: 'write_file', text }
  }
  const anchor = step.anchor
  if (anchor === undefined) throw invalid('anchor', 'is missing')
  if (op === 'replace' || op === 'delete') {
    return {
      op: 'replace_anchored',
      anchor,
      anchors,
      text,
      ...(end !== undefined && { end_anchor: end }),
    }
  }
  if (end !== undefined) throw invalid('end_anchor', 'is not for an insertion')
  return {
    op: 'insert_anchored',
    anchor,
    anchors,
    text,
    side: op === 'insert_after' ? 'after' : 'before',
  }
}

/** A whole new file leaves nothing that another step of the same file could mean. */
function crowdedWrites(ops: readonly Op[]): readonly OpConflict[] {
  const crowded = ops.find(
    op => op.op === 'write_file' && ops.some(other => other !== op && other.path === op.path),
  )
  if (crowded === undefined) return []
  return [{ op: crowded, refusal: invalid('op', 'write must be the only step for its file') }]
}

/** Insertions at a line that another step replaces: whether they go with the old line or the new one nobody can tell. */
function touchingInserts(ops: readonly Op[]): readonly OpConflict[] {
  const replaced = ops.flatMap(op => (op.op === 'replace_anchored' ? [op] : []))
  return ops.flatMap(op => {
    if (op.op !== 'insert_anchored') return []
    const at = insertionLine(op)
    const hit = replaced.find(
      other =>
        other.path === op.path &&
        lineOf(other.anchor, op) <= at &&
        at <= lineOf(other.end_anchor ?? other.anchor, op),
    )
    if (hit === undefined) return []
    return [{ op, refusal: new Refusal('OVERLAPPING_EDITS', { start_line: at, end_line: at }) }]
  })
}

/** The line that the new ones come to stand before. */
function insertionLine(op: Extract<Op, { op: 'insert_anchored' }>): number {
  if (op.anchor === startAnchor) return 1
  if (op.anchor === endAnchor) return Number.POSITIVE_INFINITY
  return lineOf(op.anchor, op) + (op.side === 'after' ? 1 : 0)
}

function lineOf(anchor: string, { anchors }: { readonly anchors: AnchorScheme }): number {
  return parseAnchor(anchor, anchorRules[anchors])?.line ?? 0
}
