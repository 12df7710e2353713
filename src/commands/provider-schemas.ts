import type { FlatField, FlatObject } from './flat-schema.js'
import type { ToolSettings } from './tool.js'
import { type OfferedTool, toolList } from './tool-list.js'

/** Whose way of saying functions; builders who do not speak MCP give them to a model themselves. */
export const providers = ['openai', 'anthropic', 'gemini'] as const

export type Provider = (typeof providers)[number]

/** The tools as the function definitions of one provider, ready for the field `tools` of a request. */
export function providerSchemas(provider: Provider, settings: ToolSettings): readonly unknown[] {
  return sayings[provider](toolList(settings))
}

type Saying = (tools: readonly OfferedTool[]) => readonly unknown[]

const sayings: Readonly<Record<Provider, Saying>> = {
  // Strict mode would make every field required and thus nullable.
  openai: tools =>
    tools.map(({ name, description, schema }) => ({
      type: 'function',
      function: { name, description, parameters: schema, strict: false },
    })),
  anthropic: tools =>
    tools.map(({ name, description, schema }) => ({ name, description, input_schema: schema })),
  gemini: tools => [
    {
      functionDeclarations: tools.map(({ name, description, schema }) => ({
        name,
        description,
        parameters: withoutClosing(schema),
      })),
    },
  ],
}

/** Gemini's own schemas know no `additionalProperties`. */
function withoutClosing({ type, properties, required }: FlatObject): unknown {
  const fields = Object.entries(properties).map(([name, field]) => [name, openField(field)])
  return { type, properties: Object.fromEntries(fields), required }
}

function openField(field: FlatField): unknown {
  const { items } = field
  return items !== undefined && 'properties' in items
    ? { ...field, items: withoutClosing(items) }
    : field
}
