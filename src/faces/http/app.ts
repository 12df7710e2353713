import type { HttpBindings } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { checkAccess, ownWorktree } from '../../commands/access.js'
import type { Command, Route } from '../../commands/command.js'
import { commands } from '../../commands/registry.js'
import { Refusal } from '../../core/errors.js'
import type { Gateway } from '../../gateway/gateway.js'
import { authenticate } from './auth.js'
import { FairShare } from './fair-share.js'
import type { Log } from './log.js'
import { addMcpRoute, type McpMount } from './mcp-route.js'
import type { Metrics } from './metrics.js'
import { openApiDocument } from './openapi/document.js'
import { toProblem } from './problem.js'
import { securityHeaders, toResponse } from './respond.js'
import { checkBodyType, takeInput } from './take-input.js'

/** What the routes need from the server they run in. */
export interface AppOptions {
  readonly gateway: Gateway
  readonly metrics: Metrics
  readonly log: Log
  readonly mcp?: McpMount | undefined
  /** Aborted when the server stops, so that streams end. */
  readonly stopping: AbortSignal
}

type Env = { Bindings: HttpBindings }

/** The one door to hono: a route for each line of the command list, and a few about the server itself. */
export function createApp(options: AppOptions): Hono<Env> {
  const app = new Hono<Env>()
  const share = new FairShare(options.gateway.limits, () => performance.now())
  addServerRoutes(app, options)
  if (options.mcp !== undefined) addMcpRoute(app, options.mcp, share, options)
  for (const command of commands) {
    for (const route of command.routes) {
      app.on(route.method, route.path, c => answerRoute(c, command, route, share, options))
    }
  }
  addRefusals(app, options)
  return app
}

/** The order of the checks is the order of the lines; Host and Origin were checked before. */
async function answerRoute(
  c: Context<Env>,
  command: Command,
  route: Route,
  share: FairShare,
  { gateway, metrics, log, stopping }: AppOptions,
): Promise<Response> {
  const { incoming, outgoing } = c.env
  const startedMs = performance.now()
  const ending = new AbortController()
  outgoing.once('close', () => {
    ending.abort()
    const seconds = (performance.now() - startedMs) / 1_000
    metrics.request(route.method, route.path, outgoing.statusCode, seconds)
    log.info({ command: command.name, status: outgoing.statusCode, seconds }, 'request')
  })
  checkBodyType(command, incoming)
  const caller = authenticate(incoming.headers.authorization, gateway)
  checkAccess(caller, route.access ?? command.access)
  const params = ownParams(c.req.param(), asked => ownWorktree(caller, asked))
  outgoing.once('close', share.enter(caller))
  const input = await takeInput(command, route, incoming, params, gateway.limits.bodyBytes)
  const answer = await command.run(gateway, input, { caller, signal: ending.signal })
  return toResponse(answer, [ending.signal, stopping])
}

function ownParams(
  params: Readonly<Record<string, string>>,
  own: (asked: string) => string,
): Readonly<Record<string, string>> {
  return params.worktree === undefined ? params : { ...params, worktree: own(params.worktree) }
}

function addServerRoutes(app: Hono<Env>, { gateway, metrics }: AppOptions): void {
  const text = (body: string): Response =>
    new Response(body, { headers: { ...securityHeaders, 'content-type': 'text/plain' } })
  app.get('/healthz', () => text('ok\n'))
  app.get('/readyz', async () => {
    await gateway.checkReady()
    return text('ready\n')
  })
  // It holds no secret: the package has the same text. Made when first asked for.
  let document: string | undefined
  app.get('/openapi.json', () => {
    document ??= JSON.stringify(openApiDocument())
    const headers = { ...securityHeaders, 'content-type': 'application/json' }
    return new Response(document, { headers })
  })
  app.get('/metrics', async c => {
    checkAccess(authenticate(c.env.incoming.headers.authorization, gateway), 'server')
    const headers = { ...securityHeaders, 'content-type': metrics.contentType }
    return new Response(await metrics.text(), { headers })
  })
}

/** Whoever has no token learns nothing about which paths there are. */
function addRefusals(app: Hono<Env>, { gateway, log }: AppOptions): void {
  const routes = commands.flatMap(command => command.routes)
  for (const path of new Set(routes.map(route => route.path))) {
    const allow = routes.filter(route => route.path === path).map(route => route.method)
    app.all(path, c => {
      authenticate(c.env.incoming.headers.authorization, gateway)
      throw new Refusal('METHOD_NOT_ALLOWED', { allow: allow.join(', ') })
    })
  }
  app.notFound(c => {
    authenticate(c.env.incoming.headers.authorization, gateway)
    throw new Refusal('NOT_FOUND')
  })
  app.onError(error => {
    const { status, headers, body } = toProblem(error, log)
    return new Response(body, { status, headers: { ...securityHeaders, ...headers } })
  })
}
