import { expect, test } from 'vitest'
import { outcome, startServer } from './server.js'

test('DOS-6: a token whose requests are all in flight waits, and others do not', async () => {
  const server = await startServer({ 'a.txt': 'one\n' }, { concurrentRequests: 1 })
  const path = '/v1/worktrees/alice'
  const stream = await server.ask('GET', '/v1/events')
  const refused = await server.ask('GET', path)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
  await refused.body?.cancel()
  expect(await outcome(server.ask('GET', '/v1/worktrees/bob', { token: server.tokens.bob }))).toBe(
    '200',
  )
  await stream.body?.cancel()
})

test('a client that goes away in the middle of its body leaves the server working', async () => {
  const server = await startServer({ 'a.txt': 'one\n' })
  const going = new AbortController()
  const body = new ReadableStream<Uint8Array>({
    pull: controller => {
      controller.enqueue(new Uint8Array(1_000))
      going.abort()
    },
  })
  const request = fetch(`${server.url}/v1/worktrees/alice/file?path=b.bin`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${server.tokens.alice}`, 'if-none-match': '*' },
    body,
    duplex: 'half',
    signal: going.signal,
  })
  await expect(request).rejects.toThrow()
  expect(await outcome(server.ask('GET', '/v1/worktrees/alice/file?path=b.bin'))).toBe(
    '404 FILE_NOT_FOUND',
  )
  expect(server.logged.filter(line => line.includes('unexpected'))).toEqual([])
})
