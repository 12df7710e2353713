import type { Readable, Writable } from 'node:stream'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Gateway } from '../../gateway/gateway.js'
import { type FaceParts, faceParts, type Log } from './parts.js'
import { createMcpServer } from './server.js'
import { StrictLines } from './strict-lines.js'

/** A client at the other end of two pipes. */
export interface Pipes {
  readonly input: Readable
  readonly output: Writable
}

/** How one client is served over its pipes. */
export interface StdioSession {
  readonly log: Log
  readonly version: string
  /** Where the client works. */
  readonly directory: string
  /** Ends the session. */
  readonly stopped: AbortSignal
}

/**
 * Serves one client until it closes its end or the session is stopped. Whoever starts the process may do what its files
 * allow, so there is no token.
 */
export async function serveMcpStdio(
  gateway: Gateway,
  { input, output }: Pipes,
  { log, version, directory, stopped }: StdioSession,
): Promise<void> {
  const parts: FaceParts = faceParts(gateway, log, version)
  const asker = { caller: { kind: 'server' }, directory } as const
  const maxBufferSize = 2 * gateway.limits.bodyBytes
  const lines = new StrictLines({
    answer: output,
    lineBytes: maxBufferSize,
    onRefused: problem => log.error({ problem }, 'a message was refused'),
  })
  // The transport tells it, while it listens.
  lines.on('error', () => undefined)
  input.on('error', error => lines.destroy(error))
  input.pipe(lines)
  const handle = serveStdio(() => createMcpServer(parts, asker), {
    transport: new StdioServerTransport(lines, output, { maxBufferSize }),
    onerror: error => log.error({ err: error }, 'a message was not understood'),
  })
  await new Promise<void>(resolve => {
    lines.once('end', resolve)
    lines.once('close', resolve)
    // Where it was cut off; else what has come is read to its end.
    input.once('close', () => {
      if (!input.readableEnded) resolve()
    })
    if (stopped.aborted) resolve()
    else stopped.addEventListener('abort', () => resolve(), { once: true })
  })
  // Else a client that stays keeps the process alive.
  input.unpipe(lines).pause()
  await handle.close()
}
