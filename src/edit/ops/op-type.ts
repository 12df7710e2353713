import { z } from 'zod'
import type { OpBase } from '../../core/batch.js'
import type { Draft } from '../../core/draft.js'
import type { Limits } from '../../core/limits.js'
import type { Matching } from '../../core/matching.js'
import type { Parsers } from '../../core/parsers.js'
import type { LineRange, MatchReport } from '../../core/receipt.js'
import type { RepoPath } from '../../core/repo-path.js'
import { expectedRevField, pathField } from './fields.js'
import type { SearchBudget } from './search-budget.js'

/** What an op works on. */
export interface OpContext {
  readonly draft: Draft
  readonly limits: Limits
  readonly matching: Matching
  /** Its place in the batch. */
  readonly index: number
  /** Counts what is looked through. */
  readonly budget: SearchBudget
  /** Tells what a text declares; absent where nobody does. */
  readonly parsers?: Parsers | undefined
}

/** What an op has done. */
export interface Applied extends MatchReport {
  readonly draft: Draft
  /** Lines of the file as the batch found it; absent where it had none. */
  readonly lines?: readonly LineRange[]
  /** How many lines that file had. */
  readonly readLines?: number
  /** The part of it that was replaced, from 0 to 1; absent where only the end of the batch can tell. */
  readonly replacedShare?: number
}

/** What a caller says about one kind of op. */
export interface OpDefinition<Name extends string, Fields extends z.ZodRawShape> {
  readonly name: Name
  /** One sentence for a model. */
  readonly summary: string
  readonly fields: Fields
  /** Refuses what is wrong whatever the file holds. */
  check(op: OpOf<Name, Fields>, limits: Limits): void
  apply(op: OpOf<Name, Fields>, context: OpContext): Promise<Applied>
}

/** One kind of op. */
export interface OpType<Name extends string = string, Fields extends z.ZodRawShape = z.ZodRawShape>
  extends OpDefinition<Name, Fields> {
  readonly schema: z.ZodObject<RecordShape<Name, Fields>, z.core.$strict>
}

/** One edit as JSON: the op, the file, and what the op needs. */
export type RecordShape<Name extends string, Fields extends z.ZodRawShape> = {
  readonly op: z.ZodLiteral<Name>
  readonly path: typeof pathField
  readonly expected_rev: z.ZodExactOptional<typeof expectedRevField>
} & Fields

/** One edit, parsed. */
export type OpOf<Name extends string, Fields extends z.ZodRawShape> = OpBase & {
  readonly op: Name
} & ParsedFields<Pick<z.output<z.ZodObject<Fields>>, Named<Fields>>>

/** The fields by name: of none at all zod makes a record that forbids every other key. */
type Named<Fields extends z.ZodRawShape> = Extract<
  keyof z.output<z.ZodObject<Fields>>,
  keyof Fields
>

/** The target of a move is a path too. */
type ParsedFields<Output> = {
  readonly [Key in keyof Output]: Key extends 'to' ? RepoPath : Output[Key]
}

/** Makes a kind of op, with its schema. */
export function defineOp<const Name extends string, Fields extends z.ZodRawShape>(
  definition: OpDefinition<Name, Fields>,
): OpType<Name, Fields> {
  const schema = z.strictObject({
    op: z.literal(definition.name).describe(definition.summary),
    path: pathField,
    expected_rev: expectedRevField.exactOptional(),
    ...definition.fields,
  })
  return { ...definition, schema }
}
