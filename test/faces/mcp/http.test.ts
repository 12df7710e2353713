import { describe, expect, test } from 'vitest'
import { bodyOf, outcome, startServer } from '../http/server.js'
import { connectHttp } from './client.js'

const server = await startServer({ 'a.txt': 'one\n' })
const { url, tokens, gateway } = server
const [alice, bob] = await Promise.all(['alice', 'bob'].map(name => gateway.worktree(name)))
const idOf = (worktree: typeof alice): string => worktree?.id ?? ''

const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
const accept = { accept: 'application/json, text/event-stream' }

describe.each(['new', 'old'] as const)('a client of the %s protocol', era => {
  test('lists and calls tools, with the worktree of its token', async () => {
    const { client, call } = await connectHttp(url, tokens.alice, { era })
    expect((await client.listTools()).tools.length).toBeGreaterThan(5)
    const { data } = await call('read_file', { path: 'a.txt' })
    expect([data.worktree, data.text]).toEqual([idOf(alice), 'one\n'])
  })

  test('is refused what its token is not for', async () => {
    const { client, call } = await connectHttp(url, tokens.bob, { era })
    expect((await call('read_file', { path: 'a.txt', worktree: 'alice' })).data.code).toBe(
      'FORBIDDEN',
    )
    expect((await call('open_worktree', { agent: 'eve' })).data.code).toBe('FORBIDDEN')
    const uri = `editlatch://worktree/${idOf(alice)}/state`
    await expect(client.readResource({ uri })).rejects.toThrow('FORBIDDEN')
  })
})

test.each(['new', 'old'] as const)(
  "the server's own token comes to a worktree of the client's name, in the %s protocol",
  async era => {
    const { call } = await connectHttp(url, tokens.server, { name: `Some ${era} Agent`, era })
    expect((await call('worktree_state')).data).toMatchObject({ agent: `some-${era}-agent` })
  },
)

test.each(['new', 'old'] as const)(
  'where nobody says a name in the %s protocol, the worktree has to be named',
  async era => {
    const { call } = await connectHttp(url, tokens.server, { name: '???', era })
    const { problem } = (await call('worktree_state')).data
    expect(problem).toMatch('open a worktree with open_worktree')
    expect((await call('worktree_state', { worktree: 'alice' })).data.id).toBe(idOf(alice))
  },
)

describe('the checks of the server come first', () => {
  const asked: readonly (readonly [string, string, Parameters<typeof server.ask>[2], string])[] = [
    [
      'no token',
      'POST',
      { json: list, headers: { ...accept, authorization: '' } },
      '401 UNAUTHENTICATED',
    ],
    ['a wrong token', 'POST', { json: list, token: 'x', headers: accept }, '401 UNAUTHENTICATED'],
    [
      'another origin',
      'POST',
      { json: list, headers: { ...accept, origin: 'http://evil.test' } },
      '403 BAD_HOST',
    ],
    [
      'a packed body',
      'POST',
      { json: list, headers: { ...accept, 'content-encoding': 'gzip' } },
      '415 UNSUPPORTED_MEDIA_TYPE',
    ],
    [
      'a key twice',
      'POST',
      {
        body: '{"jsonrpc":"2.0","id":1,"id":2,"method":"tools/list"}',
        headers: { ...accept, 'content-type': 'application/json' },
      },
      '400',
    ],
    [
      'half a message',
      'POST',
      {
        body: '{"jsonrpc":"2.0","id":1',
        headers: { ...accept, 'content-type': 'application/json' },
      },
      '400',
    ],
    [
      'another type',
      'POST',
      { body: JSON.stringify(list), headers: { ...accept, 'content-type': 'text/plain' } },
      '415',
    ],
    ['a stream of old', 'GET', { headers: accept }, '405'],
    ['an end of a session', 'DELETE', { headers: accept }, '405'],
  ]

  test.each(asked)('%s', async (_, method, options, expected) =>
    expect(await outcome(server.ask(method, '/mcp', options))).toBe(expected),
  )

  test('a body beyond the limit', async () => {
    const small = await startServer({ 'a.txt': 'x\n' }, { bodyBytes: 1_000 })
    const json = { ...list, params: { pad: 'x'.repeat(2_000) } }
    expect(await outcome(small.ask('POST', '/mcp', { json, headers: accept }))).toBe(
      '413 TOO_LARGE',
    )
  })

  test('what is no strict JSON is answered as JSON-RPC', async () => {
    const headers = { ...accept, 'content-type': 'application/json' }
    const answer = await server.ask('POST', '/mcp', { body: '{"a":1,"a":2}', headers })
    expect(await bodyOf(answer)).toEqual({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32700, message: 'a key stands twice in one object' },
    })
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  test('SEC-1: no token comes into the log', () => {
    const log = server.logged.join('\n')
    expect([
      server.logged.length > 0,
      Object.values(tokens).filter(token => log.includes(token)),
    ]).toEqual([true, []])
  })
})

describe('MCP-1: clients are isolated from each other', () => {
  const rounds = 100

  test('2 clients x 100 calls in turn: each gets its own answers, whatever session it claims', async () => {
    const clients = await Promise.all(
      (['alice', 'bob'] as const).map(async name => ({
        name,
        ...(await connectHttp(url, tokens[name])),
      })),
    )
    for (const { name, call } of clients) {
      const edits = [{ op: 'write_file', path: 'mine.txt', expected_rev: 'new', text: `${name}\n` }]
      expect((await call('edit_files', { edits })).isError).toBe(false)
    }
    const answers = await Promise.all(
      Array.from({ length: rounds }, () =>
        clients.map(async ({ name, call }) => [
          name,
          (await call('read_file', { path: 'mine.txt' })).data.text,
        ]),
      ).flat(),
    )
    console.info(`${answers.length} answers of ${clients.length} clients in turn`)
    expect(answers).toHaveLength(2 * rounds)
    expect(answers.filter(([name, text]) => text !== `${name}\n`)).toEqual([])
  })

  test.each([idOf(alice), 'client-alice', 'x', '../alice', ''])(
    'the session %j of somebody else opens nothing',
    async session => {
      const params = { name: 'read_file', arguments: { path: 'mine.txt' } }
      const json = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
      const headers = { ...accept, ...(session !== '' && { 'mcp-session-id': session }) }
      const answer = await server.ask('POST', '/mcp', { json, headers, token: tokens.bob })
      const text = await answer.text()
      expect([answer.status, text.includes('bob\\n'), text.includes('alice\\n')]).toEqual([
        200,
        true,
        false,
      ])
      expect(answer.headers.get('mcp-session-id')).toBeNull()
    },
  )

  test('requests of one connection with two tokens stay apart', async () => {
    const texts = await Promise.all(
      [tokens.alice, tokens.bob, tokens.alice].map(async token => {
        const params = { name: 'worktree_state', arguments: {} }
        const json = { jsonrpc: '2.0', id: 7, method: 'tools/call', params }
        return (await server.ask('POST', '/mcp', { json, headers: accept, token })).text()
      }),
    )
    expect(texts.map(text => [text.includes(idOf(alice)), text.includes(idOf(bob))])).toEqual([
      [true, false],
      [false, true],
      [true, false],
    ])
  })
})

test('closing the connection cancels the call before its commit point', async () => {
  const bobs = await gateway.worktree('bob')
  const head = (await bobs.describe()).head
  let release = (): void => undefined
  const held = new Promise<void>(resolve => {
    release = resolve
  })
  const alone = bobs.alone(() => held)
  const leaving = new AbortController()
  const edits = [{ op: 'write_file', path: 'late.txt', expected_rev: 'new', text: 'x\n' }]
  const params = { name: 'edit_files', arguments: { edits } }
  const asking = fetch(new URL('/mcp', url), {
    method: 'POST',
    headers: {
      ...accept,
      authorization: `Bearer ${tokens.bob}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    signal: leaving.signal,
  })
  const served = server.logged.length
  await new Promise(resolve => setTimeout(resolve, 100))
  leaving.abort()
  await expect(asking.then(answer => answer.text())).rejects.toThrow()
  while (server.logged.length === served) await new Promise(resolve => setTimeout(resolve, 10))
  release()
  await alone
  await bobs.alone(async () => undefined)
  expect((await bobs.describe()).head).toBe(head)
})
