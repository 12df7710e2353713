import {
  Client,
  InMemoryTransport,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { afterAll } from 'vitest'
import { faceParts } from '#src/faces/mcp/parts.js'
import { createMcpServer } from '#src/faces/mcp/server.js'
import type { Gateway } from '#src/gateway/gateway.js'
import type { Caller } from '#src/gateway/tokens.js'

/** What a tool has answered. */
export interface Called {
  readonly text: string
  // Whatever JSON holds; the tests say what they expect of it.
  readonly data: ReturnType<typeof JSON.parse>
  readonly isError: boolean
}

/** A connected client that answers results in one shape. */
export interface TestClient {
  readonly client: Client
  call(name: string, args?: Record<string, unknown>, signal?: AbortSignal): Promise<Called>
  close(): Promise<void>
}

const open: TestClient[] = []
afterAll(async () => {
  for (const one of open.splice(0)) await one.close()
})

export interface ConnectOptions {
  readonly name?: string
  readonly caller?: Caller
  readonly directory?: string
  /** What the server writes to its log. */
  readonly logged?: unknown[]
}

/** A client in the same process, without pipes or sockets between. */
export async function connect(
  gateway: Gateway,
  {
    name = 'Test Client',
    caller = { kind: 'server' },
    directory,
    logged = [],
  }: ConnectOptions = {},
): Promise<TestClient> {
  const write = (fields: unknown): void => {
    logged.push(fields)
  }
  const parts = faceParts(gateway, { info: write, error: write }, 'of the tests')
  const asker = { caller, ...(directory !== undefined && { directory }) }
  const [near, far] = InMemoryTransport.createLinkedPair()
  await createMcpServer(parts, asker).connect(far)
  const client = new Client({ name, version: '1' })
  await client.connect(near)
  return remember(client)
}

/** A client over HTTP, of the newest protocol or of the one before. */
export async function connectHttp(
  url: string,
  token: string,
  {
    name = 'Test Client',
    era = 'new',
  }: { readonly name?: string; readonly era?: 'new' | 'old' } = {},
): Promise<TestClient> {
  const mode = era === 'new' ? { pin: '2026-07-28' } : 'legacy'
  const client = new Client({ name, version: '1' }, { versionNegotiation: { mode } })
  const headers = { authorization: `Bearer ${token}` }
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } }),
  )
  return remember(client)
}

/** Wraps a connected client; it is closed after the test file. */
export function remember(client: Client): TestClient {
  const wrapped: TestClient = {
    client,
    call: async (name, args = {}, signal) => {
      const result = await client.callTool({ name, arguments: args }, signal && { signal })
      const [block] = result.content
      return {
        text: block?.type === 'text' ? block.text : '',
        data: result.structuredContent,
        isError: result.isError === true,
      }
    },
    close: () => client.close(),
  }
  open.push(wrapped)
  return wrapped
}
