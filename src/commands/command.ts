import { z } from 'zod'
import { Refusal } from '../core/errors.js'
import type { Limits } from '../core/limits.js'
import type { Words } from '../core/wording.js'
import type { Gateway } from '../gateway/gateway.js'
import { faultAsRefusal } from '../gateway/landing/faults.js'
import type { Caller } from '../gateway/tokens.js'
import type { Access } from './access.js'
import { type Output, value } from './output.js'
import { parseInput } from './parse-input.js'
import type { Tool } from './tool.js'

/**
 * Where one input field stands in a request. The fields of a JSON body are those placed in `json`;
 * a body of a text type is the one field placed in `text-body`;
 * a header that carries an entity tag is read as the bare revision, `*` as true; `accept:` is true
 * where the client asks for that media type.
 */
export type Source =
  | 'path'
  | 'query'
  | 'json'
  | 'raw-body'
  | 'text-body'
  | `header:${string}`
  | `accept:${string}`

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Parameters are written `:worktree`. */
  readonly path: string
  /** Input fields that this route decides; they cannot be sent. */
  readonly preset?: Readonly<Record<string, unknown>>
  /** Where this route needs another right than the command. */
  readonly access?: Access
}

export interface CommandContext {
  readonly caller: Caller
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal
  /** Bounds of this answer, where they are narrower than the gateway's. */
  readonly limits?: Limits
  /** What the caller has to do things with, where that is not the HTTP API: for refusals inside an answer. */
  readonly words?: Words
}

/** One event of a stream. */
export interface StreamEvent {
  readonly id: string
  readonly type: string
  readonly data: unknown
}

/** What a command answers: a value for JSON, the bytes of a file, nothing new, or events as they come. */
export type Answer<Value = unknown> =
  | {
      readonly kind: 'value'
      readonly value: Value
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
    }
  | {
      readonly kind: 'bytes'
      readonly bytes: Uint8Array
      readonly headers: Readonly<Record<string, string>>
    }
  | { readonly kind: 'unchanged'; readonly headers: Readonly<Record<string, string>> }
  | { readonly kind: 'stream'; readonly events: AsyncIterable<StreamEvent> }

/** One thing an agent or a person can ask, said once for every face. */
export interface Command {
  readonly name: string
  readonly summary: string
  /** A flat object of snake_case fields. */
  readonly input: z.ZodObject
  /** One place for each field, or several of which the first that is given counts. */
  readonly bind: Readonly<Record<string, Source | readonly Source[]>>
  readonly routes: readonly [Route, ...Route[]]
  readonly access: Access
  /** What it answers where it does not refuse. */
  readonly output: Output
  /** Fields that the schema leaves open, as those who describe them say what they look like. */
  readonly shapes: Readonly<Record<string, z.ZodType>>
  /** Fields that a command line gives by position. */
  readonly positionals: readonly string[]
  /** True where it has something to say of a repository that is refused, too. */
  readonly opensRefused?: boolean
  /** By the options of a command line: whether its body is the text field, not JSON. */
  readonly readsText?: (options: Readonly<Record<string, unknown>>) => boolean
  /** The subsets of its input that models are offered. */
  readonly tools?: readonly Tool[]
  /** Checks the input against the schema and does it. */
  run(gateway: Gateway, input: unknown, context: CommandContext): Promise<Answer>
  /** The answered value as compact text. */
  render(value: unknown): string
}

/** A command as its file writes it, with the types of its own input and value. */
export interface CommandSpec<Shape extends z.ZodRawShape, Value> {
  readonly name: string
  readonly summary: string
  readonly input: z.ZodObject<Shape>
  readonly bind: Readonly<Record<keyof Shape & string, Source | readonly Source[]>>
  readonly routes: readonly [Route, ...Route[]]
  readonly access: Access
  readonly output?: Output<Value>
  readonly shapes?: Readonly<Record<string, z.ZodType>>
  readonly positionals?: readonly (keyof Shape & string)[]
  readonly opensRefused?: boolean
  readonly readsText?: (options: Readonly<Record<string, unknown>>) => boolean
  readonly tools?: readonly Tool[]
  run(
    gateway: Gateway,
    input: z.output<z.ZodObject<Shape>>,
    context: CommandContext,
  ): Promise<Answer<Value>>
  render(value: Value): string
}

/** Enters a command into the list: from here on its types are the schema's and its own business. */
export function defineCommand<Shape extends z.ZodRawShape, Value>(
  spec: CommandSpec<Shape, Value>,
): Command {
  return {
    ...spec,
    output: spec.output ?? value(z.unknown()),
    shapes: spec.shapes ?? {},
    positionals: spec.positionals ?? [],
    run: async (gateway, input, context) => {
      try {
        return await spec.run(gateway, parseInput(spec.input, input), context)
      } catch (error) {
        throw inStyleOf(input, faultAsRefusal(error))
      }
    },
    render: value => spec.render(value as Value),
  }
}

/** A refusal in the first published wording, where the input asks for that. */
function inStyleOf(input: unknown, error: unknown): unknown {
  const { error_style: style } = { ...(input as { readonly error_style?: unknown }) }
  return error instanceof Refusal && style === 'legacy' ? error.inLegacyStyle() : error
}

/** The answer of most commands: a value, 200 and no headers of its own. */
export function answer<Value>(
  value: Value,
  options: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } = {},
): Answer<Value> {
  return { kind: 'value', value, status: options.status ?? 200, headers: options.headers ?? {} }
}
