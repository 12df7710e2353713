import { createMcpHandler, isInitializeRequest } from '@modelcontextprotocol/server'
import { fixedLimits } from '../../core/limits.js'
import type { Gateway } from '../../gateway/gateway.js'
import type { Caller } from '../../gateway/tokens.js'
import { agentOf } from './default-worktree.js'
import { faceParts, type Log } from './parts.js'
import { createMcpServer } from './server.js'

/** One request whose Host, Origin and token have been checked, and whose body was read. */
export interface McpHttpRequest {
  readonly request: Request
  readonly body: unknown
  readonly caller: Caller
}

/** The face below one path of an HTTP server. */
export interface McpHttp {
  answer(asked: McpHttpRequest): Promise<Response>
  /** Ends what is being streamed. */
  close(): Promise<void>
}

/** Each request gets a server of its own, so that nothing of one caller can reach another. */
export function createMcpHttp(gateway: Gateway, log: Log, version: string): McpHttp {
  const parts = faceParts(gateway, log, version)
  const handler = createMcpHandler(
    ({ authInfo, requestInfo }) => {
      const client = nameOfSession(requestInfo?.headers.get(sessionHeader))
      const caller = callerOf(authInfo?.extra)
      return createMcpServer(parts, { caller, ...(client !== undefined && { client }) })
    },
    {
      maxSubscriptions: fixedLimits.connections,
      onerror: error => log.info({ problem: error.message }, 'an MCP request was refused'),
    },
  )
  return {
    answer: async ({ request, body, caller }) => {
      const authInfo = { token: '', clientId: '', scopes: [], extra: { caller } }
      const parsed = body !== undefined && { parsedBody: body }
      const response = await handler.fetch(request, { authInfo, ...parsed })
      const session = sessionOf(body)
      if (session === undefined || !response.ok) return response
      const headers = { ...Object.fromEntries(response.headers), [sessionHeader]: session }
      return new Response(response.body, { status: response.status, headers })
    },
    close: () => handler.close(),
  }
}

const sessionHeader = 'mcp-session-id'

/**
 * Clients of the older protocol say their name only when they connect. What they are told to send with each request from
 * then on is that name: nothing is remembered here, and it gives no right that the token does not give.
 */
function sessionOf(body: unknown): string | undefined {
  const agent = isInitializeRequest(body) ? agentOf(body.params.clientInfo.name) : undefined
  return agent && `client-${agent}`
}

function nameOfSession(session: string | null | undefined): string | undefined {
  return /^client-([a-z0-9-]{1,64})$/.exec(session ?? '')?.[1]
}

/** What `answer` has put there; nobody else can. */
function callerOf(extra: Readonly<Record<string, unknown>> | undefined): Caller {
  const caller = extra?.caller
  if (caller === undefined) throw new Error('a request without a caller')
  return caller as Caller
}
