import { createMcpHandler } from '@modelcontextprotocol/server'
import { fixedLimits } from '../../core/limits.js'
import type { Gateway } from '../../gateway/gateway.js'
import type { Caller } from '../../gateway/tokens.js'
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
    ({ authInfo }) => createMcpServer(parts, { caller: callerOf(authInfo?.extra) }),
    {
      maxSubscriptions: fixedLimits.connections,
      onerror: error => log.info({ problem: error.message }, 'an MCP request was refused'),
    },
  )
  return {
    answer: ({ request, body, caller }) => {
      const authInfo = { token: '', clientId: '', scopes: [], extra: { caller } }
      return handler.fetch(request, { authInfo, ...(body !== undefined && { parsedBody: body }) })
    },
    close: () => handler.close(),
  }
}

/** What `answer` has put there; nobody else can. */
function callerOf(extra: Readonly<Record<string, unknown>> | undefined): Caller {
  const caller = extra?.caller
  if (caller === undefined) throw new Error('a request without a caller')
  return caller as Caller
}
