import type { z } from 'zod'
import type { DialectName } from '../edit/dialects/registry.js'
import type { Access } from './access.js'

/** What a list of tools depends on besides the commands: an operator's choices, never who asks. */
export interface ToolSettings {
  /** The dialects that edits may be said in; all of them where absent. */
  readonly dialects?: readonly DialectName[] | undefined
  /** After an argument was cut off: no tool that takes a long text at once. */
  readonly degraded?: boolean
}

/** What a tool does to the world, for clients that ask before some of it. */
export type ToolEffect = 'reads' | 'adds' | 'changes'

/** A subset of a command's input that is offered to models under a name of its own. */
export interface Tool {
  readonly name: string
  /** For a person. */
  readonly title: string
  /** For a model: what, when, one example, the numbers that matter. */
  readonly description: string | ((settings: ToolSettings) => string)
  /** Fields of the command's input, in the order in which a model should think of them. */
  readonly fields: readonly string[]
  /** Fields that the tool words or narrows in another way than the command; undefined leaves one out. */
  readonly shape?: (settings: ToolSettings) => Readonly<Record<string, z.ZodType | undefined>>
  /** Fields that the tool decides; they cannot be sent. */
  readonly preset?: (settings: ToolSettings) => Readonly<Record<string, unknown>>
  /** Fields of the answered value that models are not shown. */
  readonly hides?: readonly string[]
  readonly effect: ToolEffect
  /** True where asking the same again changes nothing more. */
  readonly repeatable: boolean
  /** Where the tool needs another right than the command. */
  readonly access?: Access
  /** False where the operator's choices leave nothing to offer. */
  readonly isOffered?: (settings: ToolSettings) => boolean
}
