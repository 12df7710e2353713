import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { outcome, startServer } from './server.js'

/** A connection that sends something and then nothing more; answers what came back at its end. */
function dangle(port: number, start: string): { socket: Socket; answer: Promise<string> } {
  const socket = connect(port, '127.0.0.1')
  const chunks: Buffer[] = []
  socket.on('error', () => undefined)
  socket.on('data', chunk => chunks.push(chunk))
  socket.write(start)
  const answer = new Promise<string>(resolve =>
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1'))),
  )
  return { socket, answer }
}

test('DOS-2: slow clients are told so, and others are served meanwhile', {
  timeout: 90_000,
}, async () => {
  const server = await startServer({ 'a.txt': 'one\n' })
  const host = `Host: 127.0.0.1:${server.port}`
  const body =
    `POST /v1/worktrees HTTP/1.1\r\n${host}\r\nAuthorization: Bearer ${server.tokens.server}\r\n` +
    'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{'
  const headers = Array.from({ length: 100 }, () =>
    dangle(server.port, `GET / HTTP/1.1\r\n${host}\r\nX`),
  )
  const bodies = Array.from({ length: 30 }, () => dangle(server.port, body))
  expect(await outcome(server.ask('GET', '/v1/worktrees/alice'))).toBe('200')
  const answers = await Promise.all([...headers, ...bodies].map(({ answer }) => answer))
  expect(new Set(answers.map(answer => answer.slice(0, 12)))).toEqual(new Set(['HTTP/1.1 408']))
})
