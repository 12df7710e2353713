import {
  CLIENT_INFO_META_KEY,
  type Tool as ListedTool,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { OfferedTool } from '../../commands/tool-list.js'
import { callTool } from './call-tool.js'
import type { Asker, FaceParts } from './parts.js'
import { withProgress } from './progress.js'
import { listResources, readResource, resourceTemplates } from './resources.js'

/** Lists stay the same as long as the process runs. */
const cacheHint = { ttlMs: 300_000, cacheScope: 'private' } as const

/** A server for one connection or request. It holds no state: all that is remembered stands in git. */
export function createMcpServer(parts: FaceParts, asker: Asker): Server {
  const { instructions, version, tools } = parts
  const server = new Server(
    { name: 'editlatch', title: 'Editlatch', version },
    {
      instructions,
      capabilities: { tools: {}, resources: {} },
      cacheHints: {
        'tools/list': cacheHint,
        'resources/templates/list': cacheHint,
        'server/discover': cacheHint,
      },
    },
  )
  const listed = [...tools.values()].map(describeTool)
  server.setRequestHandler('tools/list', () => ({ tools: listed }))
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const tool = tools.get(params.name)
    if (tool === undefined) throw unknownTool(params.name)
    const { signal } = context.mcpReq
    const client = clientName(server, context) ?? asker.client
    const call = { tool, args: params.arguments ?? {}, client, signal }
    return withProgress(context, tool.name, () => callTool(parts, asker, call))
  })
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [...resourceTemplates],
  }))
  server.setRequestHandler('resources/list', () => listResources(parts, asker))
  server.setRequestHandler('resources/read', ({ params }, { mcpReq }) =>
    readResource(parts, asker, params.uri, mcpReq.signal),
  )
  return server
}

function describeTool({ name, title, description, schema, tool }: OfferedTool): ListedTool {
  return {
    name,
    title,
    description,
    // The same data: JSON of the SDK's types may be written to, ours not.
    inputSchema: schema as unknown as ListedTool['inputSchema'],
    annotations: {
      readOnlyHint: tool.effect === 'reads',
      destructiveHint: tool.effect === 'changes',
      idempotentHint: tool.repeatable,
      openWorldHint: false,
    },
  }
}

/** What the SDK has checked already, but does not type. */
interface Envelope {
  readonly [CLIENT_INFO_META_KEY]?: { readonly name?: string }
}

/** Newer clients say their name with each request, older ones when they connect. */
function clientName(server: Server, { mcpReq }: ServerContext): string | undefined {
  const { [CLIENT_INFO_META_KEY]: said } = { ...(mcpReq.envelope as Envelope | undefined) }
  return said?.name ?? server.getClientVersion()?.name
}

function unknownTool(name: string): ProtocolError {
  const told = name.slice(0, 100)
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no tool ${told}`)
}
