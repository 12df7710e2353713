import { connect, createServer, type Socket } from 'node:net'

/** Stands between a client and a server on the same machine, and breaks connections. */
export interface TcpProxy {
  readonly url: string
  /** Connections that were made so far. */
  readonly connections: number
  /** The next so many answers are lost: the server gets the request, and its first byte back cuts the client off. */
  loseAnswers(count: number): void
  /** Cuts off everybody who is connected. */
  cut(): void
  close(): Promise<void>
}

export async function startProxy(port: number): Promise<TcpProxy> {
  const open = new Set<Socket>()
  const counts = { connections: 0, losing: 0 }
  const server = createServer(near => {
    const far = connect(port, '127.0.0.1')
    counts.connections += 1
    for (const socket of [near, far]) {
      open.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        open.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    near.pipe(far)
    far.on('data', chunk => {
      if (counts.losing === 0) return near.write(chunk)
      counts.losing -= 1
      return near.destroy()
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const cut = (): void => {
    for (const socket of open) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${address.port}`,
    get connections() {
      return counts.connections
    },
    loseAnswers: count => {
      counts.losing = count
    },
    cut,
    close: () => {
      cut()
      return new Promise(resolve => server.close(() => resolve()))
    },
  }
}
