import { randomUUID } from 'node:crypto'
import { checkAccess, ownWorktree } from '../../commands/access.js'
import type { Answer } from '../../commands/command.js'
import { checkNames } from '../../commands/parse-document.js'
import type { OfferedTool } from '../../commands/tool-list.js'
import { Refusal } from '../../core/errors.js'
import { fixedLimits, type Limits } from '../../core/limits.js'
import { type DefaultWorktree, defaultWorktree } from './default-worktree.js'
import type { Asker, FaceParts } from './parts.js'
import { refusalResult, type ToolResult, toolResult } from './tool-result.js'

type Fields = Readonly<Record<string, unknown>>

/** One call of a tool. */
export interface ToolCall {
  readonly tool: OfferedTool
  readonly args: Fields
  /** What the client calls itself. */
  readonly client: string | undefined
  /** Aborted when the client has cancelled the call; before the commit point that stops it. */
  readonly signal: AbortSignal
}

/** Runs a tool and answers its result; a refusal is a result too, with what to do next. */
export async function callTool(
  parts: FaceParts,
  asker: Asker,
  call: ToolCall,
): Promise<ToolResult> {
  try {
    const { tool, args, signal } = call
    checkNames(Object.keys(args), Object.keys(tool.schema.properties))
    checkAccess(asker.caller, tool.tool.access ?? tool.command.access)
    const { input, place } = await takePlace(parts, asker, call, withoutNulls(args))
    const asked = { ...input, ...tool.preset }
    const limits = narrower(parts.gateway.limits)
    const context = { caller: asker.caller, signal, limits, words: parts.words }
    const answer = await tool.command.run(parts.gateway, asked, context)
    return toolResult(tool, shown(tool, answer), place)
  } catch (error) {
    return failure(parts, error)
  }
}

/** What is answered goes into the context of a model. */
function narrower(limits: Limits): Limits {
  const { contextReadBytes, contextPatchBytes } = fixedLimits
  return {
    ...limits,
    readBytes: Math.min(limits.readBytes, contextReadBytes),
    patchBytes: Math.min(limits.patchBytes, contextPatchBytes),
  }
}

/** The input with its worktree: the one that is named, else the client's own. */
async function takePlace(
  parts: FaceParts,
  asker: Asker,
  { tool, client }: ToolCall,
  args: Fields,
): Promise<{ readonly input: Fields; readonly place?: DefaultWorktree }> {
  if (!('worktree' in tool.command.input.shape)) return { input: args }
  const { worktree: named } = args
  if (typeof named === 'string' && named !== '') {
    return { input: { ...args, worktree: ownWorktree(asker.caller, named) } }
  }
  const place = await defaultWorktree(parts, asker, client)
  return { input: { ...args, worktree: place.id }, place }
}

/** Some models say null for what they leave out. In an edit it means something: there only a revision may be null. */
function withoutNulls(args: Fields): Fields {
  const given = Object.entries(args).filter(([, value]) => value !== null)
  return Object.fromEntries(
    given.map(([name, value]) => [
      name,
      name === 'edits' && Array.isArray(value) ? value.map(editWithoutNulls) : value,
    ]),
  )
}

function editWithoutNulls(edit: unknown): unknown {
  if (typeof edit !== 'object' || edit === null || Array.isArray(edit)) return edit
  const entries = Object.entries(edit)
  return Object.fromEntries(
    entries.filter(([name, value]) => value !== null || name === 'expected_rev'),
  )
}

/** The answer without the fields that models are not shown. */
function shown({ tool }: OfferedTool, answer: Answer): Answer {
  const { hides = [] } = tool
  if (answer.kind !== 'value' || hides.length === 0) return answer
  const fields = Object.entries(answer.value as object).filter(([name]) => !hides.includes(name))
  return { ...answer, value: Object.fromEntries(fields) }
}

/** A refusal in the words of these tools; anything else is our bug, of which nothing goes out. */
function failure({ words, log }: FaceParts, error: unknown): ToolResult {
  if (error instanceof Refusal) return refusalResult(error.inWords(words))
  const instance = `urn:uuid:${randomUUID()}`
  log.error({ err: error, instance }, 'unexpected error')
  const text = `INTERNAL_ERROR: Something failed inside the server; its log says more under ${instance}.\nnext_action: ask_user\n`
  return { content: [{ type: 'text', text }], isError: true }
}
