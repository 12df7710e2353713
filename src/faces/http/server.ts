import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener, RequestError } from '@hono/node-server'
import { Refusal } from '../../core/errors.js'
import { fixedLimits } from '../../core/limits.js'
import type { Gateway } from '../../gateway/gateway.js'
import type { Meter } from '../../gateway/telling/meter.js'
import { type AppOptions, createApp } from './app.js'
import type { Log } from './log.js'
import type { McpMount } from './mcp-route.js'
import { createMetrics } from './metrics.js'
import { allowedHosts, checkOrigin } from './origin.js'
import { type Problem, toProblem } from './problem.js'
import { securityHeaders } from './respond.js'

/** Where to listen, and under which names. */
export interface HttpPlace {
  /** The address to listen on, such as 127.0.0.1. */
  readonly host: string
  /** 0 takes any free one. */
  readonly port: number
  /** Names that a Host header may carry besides the loopback ones. */
  readonly allowHosts: readonly string[]
}

export interface HttpServer {
  readonly url: string
  /** Takes nothing new, ends streams, waits a bounded time for what is in flight. */
  close(): Promise<void>
}

/** The gateway over HTTP. Its meter is there before the gateway, which counts by it. */
export interface HttpFace {
  readonly meter: Meter
  /** Answers once it listens. */
  serve(gateway: Gateway, place: HttpPlace): Promise<HttpServer>
}

/** A face with numbers of its own, and MCP where somebody can answer it. */
export function createHttpFace(log: Log, openMcp?: (gateway: Gateway) => McpMount): HttpFace {
  const metrics = createMetrics()
  return {
    meter: metrics.meter,
    serve: (gateway, place) => serveHttp(gateway, place, { metrics, log, mcp: openMcp?.(gateway) }),
  }
}

async function serveHttp(
  gateway: Gateway,
  place: HttpPlace,
  { metrics, log, mcp }: Pick<AppOptions, 'metrics' | 'log' | 'mcp'>,
): Promise<HttpServer> {
  const stopping = new AbortController()
  const app = createApp({ gateway, metrics, log, mcp, stopping: stopping.signal })
  const listener = getRequestListener(app.fetch, {
    errorHandler: error => {
      const { status, headers, body } = toProblem(asRefusal(error), log)
      return new Response(body, { status, headers: { ...securityHeaders, ...headers } })
    },
  })
  const server = createServer(serverOptions, (incoming, outgoing) => {
    // Who keeps a connection open must not keep a server that stops at work.
    if (stopping.signal.aborted) outgoing.setHeader('connection', 'close')
    const problem = originProblem(incoming, hosts, log)
    if (problem === undefined) void listener(incoming, outgoing)
    else sendProblem(outgoing, problem)
  })
  server.maxConnections = fixedLimits.connections
  const port = await listen(server, place.host, place.port)
  const hosts = allowedHosts(place.host, port, place.allowHosts)
  const named = place.host.includes(':') ? `[${place.host}]` : place.host
  const close = async (): Promise<void> => {
    await Promise.all([mcp?.close(), closeServer(server, stopping)])
  }
  return { url: `http://${named}:${port}`, close }
}

const serverOptions = {
  headersTimeout: fixedLimits.headersMs,
  requestTimeout: fixedLimits.requestMs,
  connectionsCheckingInterval: fixedLimits.connectionCheckMs,
  keepAliveTimeout: fixedLimits.keepAliveMs,
  maxHeaderSize: fixedLimits.headerBytes,
}

/** The adapter's own complaints are about a request target or Host that make no URL. */
function asRefusal(error: unknown): unknown {
  return error instanceof RequestError
    ? new Refusal('INVALID_ARGUMENTS', { problem: 'the request target is malformed' })
    : error
}

function originProblem(
  incoming: IncomingMessage,
  hosts: ReadonlySet<string>,
  log: Log,
): Problem | undefined {
  try {
    checkOrigin(incoming, hosts)
    return undefined
  } catch (error) {
    return toProblem(error, log)
  }
}

function sendProblem(outgoing: ServerResponse, { status, headers, body }: Problem): void {
  outgoing.writeHead(status, { ...securityHeaders, ...headers, connection: 'close' })
  outgoing.end(body)
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve(portOf(server.address(), port))
    })
  })
}

function portOf(address: AddressInfo | string | null, asked: number): number {
  return typeof address === 'object' && address !== null ? address.port : asked
}

async function closeServer(server: Server, stopping: AbortController): Promise<void> {
  stopping.abort()
  const closed = new Promise<void>(resolve => server.close(() => resolve()))
  const cut = setTimeout(() => server.closeAllConnections(), fixedLimits.shutdownMs)
  await closed
  clearTimeout(cut)
}
