/** What a call may be given beside its input. */
export interface CallOptions {
  /** Ends the call; what the server has not begun to commit is not done then. */
  readonly signal?: AbortSignal
}

/** The bytes of a file with their revision. */
export interface FileBytes {
  readonly rev: string
  readonly bytes: Uint8Array
}

/** Asks and answers once. Rejects with `EditlatchRefusal`, or `EditlatchUnreachable` where no answer came. */
export type Ask<Input, Answer, Optional = never> = (
  ...args: Arguments<Input, Optional>
) => Promise<Answer>

/**
 * Like `Ask`; where bytes are asked for they are the answer, and where a revision is known its file may be
 * unchanged; several paths are answered together.
 */
export interface Read<Input, Answer> {
  (
    input: Input & { readonly raw: true; readonly known_rev: string },
    options?: CallOptions,
  ): Promise<FileBytes | 'unchanged'>
  (input: Input & { readonly raw: true }, options?: CallOptions): Promise<FileBytes>
  (
    input: Input & { readonly raw?: false; readonly paths: readonly string[] },
    options?: CallOptions,
  ): Promise<Extract<Answer, { readonly files: unknown }>>
  (
    input: Input & { readonly raw?: false; readonly known_rev: string },
    options?: CallOptions,
  ): Promise<Shown<Answer> | 'unchanged'>
  (
    input: Input & { readonly raw?: false; readonly known_rev?: never; readonly if_rev: string },
    options?: CallOptions,
  ): Promise<Exclude<Answer, { readonly files: unknown }>>
  (
    input: Input & {
      readonly raw?: false
      readonly known_rev?: never
      readonly if_rev?: never
      readonly paths?: never
    },
    options?: CallOptions,
  ): Promise<Shown<Answer>>
}

/** The answer that shows a file. */
type Shown<Answer> = Extract<Answer, { readonly total_lines: number }>

/** Events as they come, until the signal says that it is over; a connection that breaks is taken up again. */
export type Follow<Input, Event, Optional = never> = (
  ...args: Arguments<Input, Optional>
) => AsyncGenerator<Event, void>

type Arguments<Input, Optional> = [Optional] extends [never]
  ? [input: Input, options?: CallOptions]
  : [input?: Input, options?: CallOptions]

/** One way to a command; fields that it presets are not sent. */
export interface Route {
  readonly method: string
  /** Parameters are written `:worktree`. */
  readonly path: string
  readonly preset?: Readonly<Record<string, unknown>>
}

/** Where the fields of a command stand in a request. */
export interface Places {
  readonly command: string
  readonly kind: 'value' | 'stream'
  readonly routes: readonly [Route, ...Route[]]
  /** `path`, `query`, `json`, `raw-body`, `header:name` or `accept:type`. */
  readonly fields: Readonly<Record<string, string>>
}
