import { toolInstructions } from '../../commands/tool-instructions.js'
import { type OfferedTool, toolList } from '../../commands/tool-list.js'
import { toolWords } from '../../commands/tool-words.js'
import type { Words } from '../../core/wording.js'
import type { Gateway } from '../../gateway/gateway.js'
import type { Caller } from '../../gateway/tokens.js'

/** What the face writes down about itself, never to standard output: that is the wire. */
export interface Log {
  info(fields: Readonly<Record<string, unknown>>, message: string): void
  error(fields: Readonly<Record<string, unknown>>, message: string): void
}

/** What every request of one gateway is answered with. */
export interface FaceParts {
  readonly gateway: Gateway
  readonly log: Log
  readonly version: string
  readonly tools: ReadonlyMap<string, OfferedTool>
  readonly instructions: string
  readonly words: Words
}

/** Who asks. */
export interface Asker {
  readonly caller: Caller
  /** Where the client works on this machine, as far as that is known. */
  readonly directory?: string
  /** The name of the client, where it says it neither with the request nor on this connection. */
  readonly client?: string
}

/** Says once what depends on the gateway's own choices. */
export function faceParts(gateway: Gateway, log: Log, version: string): FaceParts {
  const settings = { dialects: gateway.dialects }
  return {
    gateway,
    log,
    version,
    tools: new Map(toolList(settings).map(tool => [tool.name, tool])),
    instructions: toolInstructions(settings),
    words: toolWords(settings),
  }
}
