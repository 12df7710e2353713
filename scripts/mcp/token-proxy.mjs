import { createServer, request } from 'node:http'

/**
 * Passes every request on with a token, all else as it came: clients that cannot send one can speak to a server that
 * asks for it.
 * @param {string} url
 * @param {string} token
 * @returns {Promise<{ readonly url: string, close(): void }>}
 */
export async function tokenProxy(url, token) {
  const proxy = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` }
    const target = new URL(incoming.url ?? '/', url)
    const passed = request(target, { method: incoming.method, headers }, answer => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    incoming.pipe(passed)
    outgoing.on('close', () => passed.destroy())
    passed.on('error', () => outgoing.destroy())
  })
  await new Promise(resolve => proxy.listen(0, '127.0.0.1', () => resolve(undefined)))
  const address = proxy.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const close = () => {
    proxy.closeAllConnections()
    proxy.close()
  }
  return { url: `http://127.0.0.1:${port}`, close }
}
