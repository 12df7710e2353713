import { describe, expect, test } from 'vitest'
import { outcome, sendRaw, startServer } from './server.js'

const server = await startServer({ 'a.txt': 'one\n' })
const { port } = server

/** The status line's number, and whether the answer says BAD_HOST. */
async function statusOf(head: string): Promise<string> {
  const answer = await sendRaw(
    port,
    `${head}\r\nAuthorization: Bearer ${server.tokens.server}\r\nConnection: close\r\n\r\n`,
  )
  const status = /^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 'none'
  return answer.includes('"BAD_HOST"') ? `${status} BAD_HOST` : status
}

describe('HTTP-2: a request must name this server', () => {
  test.each<[string, string, string]>([
    ['its address', `GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:${port}`, '200'],
    ['localhost', `GET /healthz HTTP/1.1\r\nHost: localhost:${port}`, '200'],
    ['LocalHost', `GET /healthz HTTP/1.1\r\nHost: LocalHost:${port}`, '200'],
    ['IPv6', `GET /healthz HTTP/1.1\r\nHost: [::1]:${port}`, '200'],
    ['a name the operator allowed', 'GET /healthz HTTP/1.1\r\nHost: proxy.test', '200'],
    ['that name with a port', 'GET /healthz HTTP/1.1\r\nHost: proxy.test:8080', '200'],
    ['an evil name', 'GET /v1/repos HTTP/1.1\r\nHost: evil.test', '403 BAD_HOST'],
    [
      'an evil name with our port',
      `GET /v1/repos HTTP/1.1\r\nHost: evil.test:${port}`,
      '403 BAD_HOST',
    ],
    ['a longer name', `GET / HTTP/1.1\r\nHost: 127.0.0.1.evil.test:${port}`, '403 BAD_HOST'],
    ['localhost.evil', `GET / HTTP/1.1\r\nHost: localhost.evil:${port}`, '403 BAD_HOST'],
    ['0.0.0.0', `GET / HTTP/1.1\r\nHost: 0.0.0.0:${port}`, '403 BAD_HOST'],
    ['a trailing dot', `GET / HTTP/1.1\r\nHost: localhost.:${port}`, '403 BAD_HOST'],
    ['another port', 'GET / HTTP/1.1\r\nHost: 127.0.0.1:1', '403 BAD_HOST'],
    ['no port', 'GET / HTTP/1.1\r\nHost: 127.0.0.1', '403 BAD_HOST'],
    ['a user in front', `GET / HTTP/1.1\r\nHost: a@127.0.0.1:${port}`, '403 BAD_HOST'],
    ['an empty Host', 'GET / HTTP/1.1\r\nHost:', '403 BAD_HOST'],
    ['no Host at all', 'GET / HTTP/1.0\r\nX: y', '403 BAD_HOST'],
    ['no Host in HTTP/1.1', 'GET / HTTP/1.1\r\nX: y', '400'],
    ['two Hosts', `GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nHost: evil.test`, '403 BAD_HOST'],
    [
      'an absolute target',
      `GET http://evil.test/healthz HTTP/1.1\r\nHost: 127.0.0.1:${port}`,
      '403 BAD_HOST',
    ],
    ['a backslash in the path', `GET /a\\b HTTP/1.1\r\nHost: [::1]:${port}`, '400'],
  ])('%s', async (_, head, expected) => expect(await statusOf(head)).toBe(expected))
})

describe('HTTP-3: pages of other sites are refused', () => {
  const host = `Host: 127.0.0.1:${port}`
  test.each<[string, string, string]>([
    ['our own page', `Origin: http://127.0.0.1:${port}`, '200'],
    ['a request that a person typed', 'Sec-Fetch-Site: none', '200'],
    ['our own script', 'Sec-Fetch-Site: same-origin', '200'],
    ['another origin', 'Origin: http://evil.test', '403 BAD_HOST'],
    ['another port of this machine', 'Origin: http://127.0.0.1:1', '403 BAD_HOST'],
    ['another of our names', `Origin: http://localhost:${port}`, '403 BAD_HOST'],
    ['a sandboxed page', 'Origin: null', '403 BAD_HOST'],
    ['cross-site', 'Sec-Fetch-Site: cross-site', '403 BAD_HOST'],
    ['same-site', 'Sec-Fetch-Site: same-site', '403 BAD_HOST'],
    ['two origins', `Origin: http://127.0.0.1:${port}\r\nOrigin: http://evil.test`, '403 BAD_HOST'],
  ])('%s', async (_, header, expected) =>
    expect(await statusOf(`GET /v1/repos HTTP/1.1\r\n${host}\r\n${header}`)).toBe(expected),
  )

  test.each<[string, string]>([
    ['text/plain', '415 UNSUPPORTED_MEDIA_TYPE'],
    ['application/x-www-form-urlencoded', '415 UNSUPPORTED_MEDIA_TYPE'],
    ['multipart/form-data; boundary=x', '415 UNSUPPORTED_MEDIA_TYPE'],
    ['application/json; charset=latin1', '415 UNSUPPORTED_MEDIA_TYPE'],
    ['', '415 UNSUPPORTED_MEDIA_TYPE'],
    ['application/json; charset=utf-8', '400 INVALID_ARGUMENTS'],
  ])('a JSON body sent as %j', async (type, expected) => {
    const options = { body: '{}', headers: { 'content-type': type }, token: server.tokens.server }
    expect(await outcome(server.ask('POST', '/v1/worktrees', options))).toBe(expected)
  })
})

test('HTTP-4: a preflight is refused and allows nothing', async () => {
  const answer = await sendRaw(
    port,
    `OPTIONS /v1/worktrees HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nOrigin: http://evil.test\r\n` +
      'Access-Control-Request-Method: POST\r\nConnection: close\r\n\r\n',
  )
  expect([answer.slice(0, 12), /access-control/i.test(answer)]).toEqual(['HTTP/1.1 403', false])
})
