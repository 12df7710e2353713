import { mkdtemp } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { defaultLimits, type Limits } from '#src/core/limits.js'
import { createHttpFace } from '#src/faces/http/server.js'
import { createMcpHttp } from '#src/faces/mcp/http.js'
import { Gateway } from '#src/gateway/gateway.js'
import { operationOf, undocumented } from '../../support/api-document.js'
import { type Content, makeRepository, type TestRepository } from '../../support/repository.js'

/** A gateway over one real repository, served on a free port, with two agents at work. */
export interface TestServer {
  readonly url: string
  readonly port: number
  readonly repository: TestRepository
  readonly gateway: Gateway
  /** What the server wrote to its log. */
  readonly logged: readonly string[]
  readonly tokens: Readonly<Record<'server' | 'alice' | 'bob' | 'reader', string>>
  /** Sends a request as `alice`, or as somebody else. */
  ask(method: string, path: string, options?: AskOptions): Promise<Response>
  close(): Promise<void>
}

export interface AskOptions {
  readonly token?: string
  /** Sent as JSON. */
  readonly json?: unknown
  readonly body?: string | Uint8Array<ArrayBuffer>
  readonly headers?: Readonly<Record<string, string>>
}

const running: TestServer[] = []
/** How many answers were held against openapi.json, and of which routes. */
const compared = { answers: 0, operations: new Set<string>() }

afterAll(async () => {
  for (const server of running.splice(0)) await server.close()
  const { answers, operations } = compared
  if (answers === 0) return
  console.log(`${answers} answers of ${operations.size} operations are as openapi.json says`)
})

const secret = 'server-token-of-the-tests-0123456789'

export async function startServer(
  files: Readonly<Record<string, Content>>,
  limits: Partial<Limits> = {},
): Promise<TestServer> {
  const repository = await makeRepository(files)
  const place = await mkdtemp(join(tmpdir(), 'gateway-'))
  const logged: string[] = []
  const write = (fields: object, message: string): void => {
    logged.push(JSON.stringify({ ...fields, message }))
  }
  const log = { info: write, error: write }
  const face = createHttpFace(log, served => createMcpHttp(served, log, 'of the tests'))
  const gateway = await Gateway.open({
    repositories: [repository.path],
    worktreesDir: join(place, 'worktrees'),
    stateDir: join(place, 'state'),
    host: process.env,
    durability: 'process',
    branchPrefix: 'agent',
    allowProtected: [],
    trustConfig: false,
    limits: { ...defaultLimits, ...limits },
    secret,
    meter: face.meter,
  })
  const alice = await gateway.openWorktree({ agent: 'alice' })
  const bob = await gateway.openWorktree({ agent: 'bob' })
  const http = await face.serve(gateway, { host: '127.0.0.1', port: 0, allowHosts: ['proxy.test'] })
  const tokens = {
    server: secret,
    alice: alice.token,
    bob: bob.token,
    reader: gateway.tokenFor(alice.id, 'read'),
  }
  const server: TestServer = {
    url: http.url,
    port: Number(new URL(http.url).port),
    repository,
    gateway,
    logged,
    tokens,
    ask: (method, path, options = {}) => ask(http.url + path, method, tokens.alice, options),
    close: async () => {
      await http.close()
      await gateway.close()
    },
  }
  running.push(server)
  return server
}

async function ask(
  url: string,
  method: string,
  token: string,
  options: AskOptions,
): Promise<Response> {
  const body = options.json === undefined ? options.body : JSON.stringify(options.json)
  const response = await fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${options.token ?? token}`,
      ...(options.json !== undefined && { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(body !== undefined && { body }),
  })
  await compare(method, new URL(url).pathname, response)
  return response
}

/** Fails where an answer is not as the document says; streams and routes that it does not know are passed over. */
async function compare(method: string, path: string, response: Response): Promise<void> {
  const operation = operationOf(method, path)
  const isStream = response.headers.get('content-type') === 'text/event-stream'
  if (operation === undefined || isStream) return
  const { status, headers } = response
  const body = await response.clone().text()
  const problems = undocumented(operation, { status, headers, body })
  if (problems.length > 0) throw new Error(problems.join('\n'))
  compared.answers += 1
  compared.operations.add(operation.operationId)
}

/** Whatever JSON holds; the tests say what they expect of it. */
export type Json = ReturnType<typeof JSON.parse>

/** The body of an answer. */
export async function bodyOf(response: Response): Promise<Json> {
  return JSON.parse(await response.text())
}

/** The status and the code of a problem, which is all that most cases are about. */
export async function outcome(answer: Promise<Response>): Promise<string> {
  const response = await answer
  const text = await response.text()
  const isProblem = response.headers.get('content-type') === 'application/problem+json'
  return isProblem ? `${response.status} ${JSON.parse(text).code}` : `${response.status}`
}

/** Sends bytes as they are and answers all that came back before the server closed. */
export function sendRaw(port: number, ...parts: readonly (string | Uint8Array)[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    const chunks: Buffer[] = []
    socket.on('data', chunk => chunks.push(chunk))
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')))
    // A server that answers early resets what is still being sent; the answer has come by then.
    socket.on('error', error => (chunks.length > 0 ? undefined : reject(error)))
    for (const part of parts) socket.write(part)
  })
}
