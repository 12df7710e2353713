import type { z } from 'zod'

/** What a command answers, said once for those who describe it. */
export interface Output<Value = never> {
  readonly kind: 'value' | 'stream'
  /** Of the value, or of the data of each event. */
  readonly schema: z.ZodType
  readonly statuses: readonly number[]
  /** Headers of its own, with what they say. */
  readonly headers: Readonly<Record<string, string>>
  /** Never there: it makes the compiler refuse a value that does not fit the schema. */
  readonly takes?: (value: Value) => void
}

interface OutputOptions {
  readonly statuses?: readonly number[]
  readonly headers?: Readonly<Record<string, string>>
}

/** One value as JSON; 200 where no other statuses are named. */
export function value<Schema extends z.ZodType>(
  schema: Schema,
  { statuses = [200], headers = {} }: OutputOptions = {},
): Output<DeepReadonly<z.output<Schema>>> {
  return { kind: 'value', schema, statuses, headers }
}

/** Events as they come, each with data of this shape. */
export function stream(schema: z.ZodType): Output<unknown> {
  return { kind: 'stream', schema, statuses: [200], headers: {} }
}

type DeepReadonly<Value> = Value extends object
  ? { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> }
  : Value
