import type { Kind } from './kinds.js'

/** What is started: a server, a server of one client over its pipes, or a single command. */
export type Face = 'serve' | 'mcp' | 'command'

/**
 * Which files may say a setting. What a repository says is written by whoever can change the repository, so even
 * where an operator trusts it, it never says who may ask, what may run, or where something lies on the disk.
 */
export type Files = 'none' | 'user' | 'user and repository'

/** One thing that an operator can choose. */
export interface Setting<Value = unknown, Initial = Value | undefined> {
  /** What it means: the help text of its flag. */
  readonly about: string
  /** Its flag as commander reads it. */
  readonly flag: string
  readonly kind: Kind<Value>
  /** What holds where nobody says anything; undefined where that depends. */
  readonly initial: Initial
  /** What holds then, in words. */
  readonly initially: string
  /** Where the flag is offered; the environment and files count everywhere. */
  readonly faces: readonly Face[]
  readonly files: Files
  /** Never told. */
  readonly isSecret?: true
}

type Said<Value> = Omit<Setting<Value>, 'initial' | 'initially'>

/** A setting that has a value where nobody says one. */
export function setting<Value>(
  said: Said<Value> & { readonly initial: NoInfer<Value>; readonly initially?: string },
): Setting<Value, Value> {
  return { ...said, initially: said.initially ?? inWords(said.initial) }
}

/** A setting that has none then; what holds instead is told in words. */
export function openSetting<Value>(
  said: Said<Value> & { readonly initially: string },
): Setting<Value, undefined> {
  return { ...said, initial: undefined }
}

/** A value as a person reads it. */
export function inWords(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(inWords).join(', ')
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.entries(value)
    .map(([name, one]) => `${name}=${inWords(one)}`)
    .join(', ')
}
