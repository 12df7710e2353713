import type { z } from 'zod'
import type { AnchorScheme } from '../../core/anchor-scheme.js'
import { Refusal } from '../../core/errors.js'
import type { Limits } from '../../core/limits.js'
import type { Op } from '../ops/registry.js'

/** What a dialect is told beside the words themselves. */
export interface DialectContext {
  readonly limits: Limits
  /** Of several equally good places the first one is meant: a compatibility switch of the caller. */
  readonly takesFirst: boolean
  /** How the anchors of the worktree's view are made; undefined where it is read without. */
  readonly anchors?: AnchorScheme | undefined
}

/** An op that is refused because of others. */
export interface OpConflict {
  readonly op: Op
  readonly refusal: Refusal
}

interface Named {
  readonly name: string
  /** One sentence for a model. */
  readonly summary: string
}

/** A dialect whose edits are objects in a list. */
export interface EditsDialect extends Named {
  readonly kind: 'edits'
  /** One edit. */
  readonly edit: z.ZodType
  /** The ops of one edit that fits the schema; refused with `INVALID_ARGUMENTS` and the like. */
  toOps(edit: unknown, context: DialectContext): readonly Op[]
  /** What is wrong with all the ops together, though each alone is right. */
  conflicts?(ops: readonly Op[]): readonly OpConflict[]
}

/** A dialect whose edits are one text: a patch, or a whole message with fences in it. */
export interface TextDialect extends Named {
  readonly kind: 'text'
  /** The ops of the text; refused with `DIALECT_UNPARSABLE` and the line. */
  toOps(text: string, context: DialectContext): readonly Op[]
}

export type Dialect = EditsDialect | TextDialect

/** A dialect of edits as its file writes it, with the type of its own edits. */
export function defineEditsDialect<const Name extends string, Schema extends z.ZodType>(spec: {
  readonly name: Name
  readonly summary: string
  readonly edit: Schema
  toOps(edit: z.output<Schema>, context: DialectContext): readonly Op[]
  conflicts?(ops: readonly Op[]): readonly OpConflict[]
}): EditsDialect & { readonly name: Name } {
  return {
    ...spec,
    kind: 'edits',
    toOps: (edit, context) => spec.toOps(edit as z.output<Schema>, context),
  }
}

/** A dialect of text. */
export function defineTextDialect<const Name extends string>(spec: {
  readonly name: Name
  readonly summary: string
  toOps(text: string, context: DialectContext): readonly Op[]
}): TextDialect & { readonly name: Name } {
  return { ...spec, kind: 'text' }
}

/** The refusal of a text that does not follow the grammar; `line` counts from 1 in that text. */
export function unparsable(line: number, problem: string): Refusal {
  return new Refusal('DIALECT_UNPARSABLE', { line, problem })
}
