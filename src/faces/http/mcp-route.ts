import type { HttpBindings } from '@hono/node-server'
import type { Context, Hono } from 'hono'
import { Refusal } from '../../core/errors.js'
import { parseStrictJson } from '../../core/strict-json.js'
import type { Gateway } from '../../gateway/gateway.js'
import type { Caller } from '../../gateway/tokens.js'
import { authenticate } from './auth.js'
import { checkNotPacked, hasBody, readBody } from './body.js'
import type { FairShare } from './fair-share.js'
import type { Log } from './log.js'
import type { Metrics } from './metrics.js'
import { securityHeaders } from './respond.js'

/** What answers MCP; main puts it into our hands. */
export interface McpMount {
  /** Answers a request whose caller is known and whose body was read. */
  answer(asked: {
    readonly request: Request
    readonly body: unknown
    readonly caller: Caller
  }): Promise<Response>
  /** Ends what is being streamed. */
  close(): Promise<void>
}

interface RouteOptions {
  readonly gateway: Gateway
  readonly metrics: Metrics
  readonly log: Log
}

type Env = { Bindings: HttpBindings }

/** MCP at `/mcp`, behind the same checks as every other route: Host, Origin, token, fair share, size, strict JSON. */
export function addMcpRoute(
  app: Hono<Env>,
  mount: McpMount,
  share: FairShare,
  options: RouteOptions,
): void {
  app.all('/mcp', c => answerMcp(c, mount, share, options))
}

async function answerMcp(
  c: Context<Env>,
  mount: McpMount,
  share: FairShare,
  { gateway, metrics, log }: RouteOptions,
): Promise<Response> {
  const { incoming, outgoing } = c.env
  const startedMs = performance.now()
  const ending = new AbortController()
  outgoing.once('close', () => {
    ending.abort()
    const seconds = (performance.now() - startedMs) / 1_000
    metrics.request(c.req.method, '/mcp', outgoing.statusCode, seconds)
    log.info({ command: 'mcp', status: outgoing.statusCode, seconds }, 'request')
  })
  const caller = authenticate(incoming.headers.authorization, gateway)
  checkNotPacked(incoming)
  outgoing.once('close', share.enter(caller))
  const bytes = hasBody(incoming)
    ? await readBody(incoming, gateway.limits.bodyBytes)
    : new Uint8Array()
  const parsed = parseMessage(bytes)
  if (parsed instanceof Response) return parsed
  const { method, url } = c.req
  // The body was read already; what the SDK reads is the headers. Its end is the end of the connection.
  const request = new Request(url, { method, headers: c.req.header(), signal: ending.signal })
  const response = await mount.answer({ request, body: parsed, caller })
  return new Response(response.body, {
    status: response.status,
    headers: { ...securityHeaders, ...Object.fromEntries(response.headers) },
  })
}

/** One message of JSON-RPC; what is no strict JSON is refused in its own form, since no other is understood. */
function parseMessage(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return undefined
  try {
    return parseStrictJson(bytes)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { problem } = error.data
    const message = typeof problem === 'string' ? problem : error.message
    const body = { jsonrpc: '2.0', id: null, error: { code: -32700, message } }
    return Response.json(body, { status: 400, headers: securityHeaders })
  }
}
