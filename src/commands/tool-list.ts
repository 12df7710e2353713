import type { z } from 'zod'
import type { Command } from './command.js'
import { worktreeToolField } from './fields.js'
import { type FlatObject, flatObject } from './flat-schema.js'
import { commands } from './registry.js'
import type { Tool, ToolSettings } from './tool.js'

/** A tool as it is offered: what a model is told, and what is run. */
export interface OfferedTool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly schema: FlatObject
  readonly preset: Readonly<Record<string, unknown>>
  readonly tool: Tool
  readonly command: Command
}

/** The tools that the command list offers, always in the same order: it depends on nothing but an operator's choices. */
export function toolList(settings: ToolSettings): readonly OfferedTool[] {
  return commands.flatMap(command =>
    (command.tools ?? [])
      .filter(tool => tool.isOffered?.(settings) ?? true)
      .map(tool => offer(command, tool, settings)),
  )
}

function offer(command: Command, tool: Tool, settings: ToolSettings): OfferedTool {
  const { name, title, description } = tool
  return {
    name,
    title,
    description: typeof description === 'string' ? description : description(settings),
    schema: flatObject(shapeOf(command, tool, settings)),
    preset: tool.preset?.(settings) ?? {},
    tool,
    command,
  }
}

function shapeOf(
  command: Command,
  tool: Tool,
  settings: ToolSettings,
): Readonly<Record<string, z.ZodType>> {
  const { shape } = command.input
  const own: Readonly<Record<string, z.ZodType | undefined>> = {
    // Each client has a worktree of its own that it need not name.
    ...('worktree' in shape && { worktree: worktreeToolField }),
    ...tool.shape?.(settings),
  }
  return Object.fromEntries(
    tool.fields.flatMap(field => {
      const type = field in own ? own[field] : (shape[field] as z.ZodType | undefined)
      return type === undefined ? [] : [[field, type]]
    }),
  )
}
