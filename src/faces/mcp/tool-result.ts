import type { Answer } from '../../commands/command.js'
import { renderRefusal } from '../../commands/render-refusal.js'
import type { OfferedTool } from '../../commands/tool-list.js'
import type { Refusal } from '../../core/errors.js'
import { fixedLimits } from '../../core/limits.js'
import type { DefaultWorktree } from './default-worktree.js'

type Fields = Readonly<Record<string, unknown>>

/** What a tool answers: compact text for the model and the same as data. */
export interface ToolResult {
  readonly content: { readonly type: 'text'; readonly text: string }[]
  readonly structuredContent?: { readonly [key: string]: unknown }
  readonly isError?: boolean
  readonly [key: string]: unknown
}

const { resultChars, errorChars } = fixedLimits

/** An answer as text and data, each within what clients keep; says which worktree it was where the call named none. */
export function toolResult(
  tool: OfferedTool,
  answer: Answer,
  place: DefaultWorktree | undefined,
): ToolResult {
  if (answer.kind !== 'value') return { content: [textOf('unchanged\n')] }
  const value = fitPatches(answer.value as Fields, resultChars)
  const structured = { ...(place && { worktree: place.id }), ...value }
  const text = cut(placeLine(place) + tool.command.render(value), resultChars)
  return {
    content: [textOf(text)],
    ...(size(structured) <= resultChars && { structuredContent: structured }),
  }
}

/** A refusal as text and data; of long data the longest fields are left out, and named. */
export function refusalResult(refusal: Refusal): ToolResult {
  const text = cut(renderRefusal(refusal), errorChars)
  return {
    content: [textOf(text)],
    structuredContent: fitFields(refusal.toJSON(), errorChars),
    isError: true,
  }
}

function textOf(text: string): ToolResult['content'][number] {
  return { type: 'text', text }
}

function placeLine(place: DefaultWorktree | undefined): string {
  if (place === undefined) return ''
  const { id, opened } = place
  const how = opened && ` (opened just now: branch ${opened.branch}, directory ${opened.path})`
  return `worktree ${id}${how ?? ''}\n`
}

/** Whole lines from the beginning, and how much was left out. */
function cut(text: string, limit: number): string {
  if (text.length <= limit) return text
  const room = text.slice(0, limit - 100)
  const whole = room.slice(0, room.lastIndexOf('\n') + 1) || room
  return `${whole.toWellFormed()}(cut here: ${text.length - whole.length} more characters; ask for less at once)\n`
}

/** An answer with files and their patches, without the longest patches as long as it is too long. */
function fitPatches(value: Fields, limit: number): Fields {
  const { files } = value
  if (!Array.isArray(files)) return value
  let fitted: readonly Fields[] = files
  let excess = size(value) - limit
  while (excess > 0) {
    const longest = Math.max(...fitted.map(({ patch }) => size(patch)))
    const at = fitted.findIndex(({ patch }) => size(patch) === longest)
    const { patch, ...file } = fitted[at] ?? {}
    if (typeof patch !== 'string') break
    fitted = fitted.with(at, { ...file, patch_truncated: true })
    excess -= longest
  }
  return { ...value, files: fitted }
}

function fitFields(fields: Fields, limit: number): Fields {
  const left = Object.entries(fields).toSorted(([, a], [, b]) => size(a) - size(b))
  const kept: Record<string, unknown> = {}
  const omitted: string[] = []
  let chars = 2
  for (const [name, value] of left) {
    chars += name.length + size(value) + 4
    if (chars <= limit) kept[name] = value
    else omitted.push(name)
  }
  return omitted.length === 0 ? fields : { ...kept, omitted }
}

function size(value: unknown): number {
  return value === undefined ? 0 : JSON.stringify(value).length
}
