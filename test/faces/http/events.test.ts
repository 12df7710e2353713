import { expect, test } from 'vitest'
import { bodyOf, startServer, type TestServer } from './server.js'

const server = await startServer({ 'a.txt': 'one\n' })

async function commitAs(agent: 'alice' | 'bob', path: string): Promise<void> {
  const edits = [{ op: 'write_file', path, expected_rev: null, text: 'x\n' }]
  const options = { token: server.tokens[agent], json: { edits } }
  const response = await server.ask('POST', `/v1/worktrees/${agent}/batches`, options)
  expect(response.status).toBe(201)
  await response.body?.cancel()
}

/** Follows the events until so many have come, and answers those. */
async function follow(
  from: TestServer,
  count: number,
  options: { readonly token?: string; readonly headers?: Record<string, string> },
  meanwhile: () => Promise<void> = async () => undefined,
): Promise<readonly { id: number; type: string; worktree?: string }[]> {
  const response = await from.ask('GET', '/v1/events', options)
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  const decoder = new TextDecoder()
  let text = ''
  const reader = response.body?.getReader()
  while (reader !== undefined) {
    const { done, value } = await reader.read()
    if (done) break
    const isFirst = text === ''
    text += decoder.decode(value, { stream: true })
    if (isFirst) await meanwhile()
    if (text.split('\ndata: ').length > count) break
  }
  await reader?.cancel()
  return [...text.matchAll(/\ndata: (.*)\n/g)].map(([, data = '']) => JSON.parse(data))
}

test('an agent hears of its own worktree only', async () => {
  const events = await follow(server, 1, {}, async () => {
    await commitAs('bob', 'b1')
    await commitAs('alice', 'a1')
  })
  expect(events.map(event => [event.type, event.worktree?.endsWith('~alice')])).toEqual([
    ['batch', true],
  ])
})

test('the server token hears of all', async () => {
  const events = await follow(server, 2, { token: server.tokens.server }, async () => {
    await commitAs('bob', 'b2')
    await commitAs('alice', 'a2')
  })
  expect(events.map(event => event.worktree?.replace(/^.*~/, ''))).toEqual(['bob', 'alice'])
})

test('Last-Event-ID goes on where a connection was lost', async () => {
  const token = server.tokens.server
  const [first] = await follow(server, 1, { token }, () => commitAs('alice', 'a3'))
  await commitAs('bob', 'b3')
  const headers = { 'last-event-id': String(first?.id) }
  const [next] = await follow(server, 1, { token, headers })
  expect([next?.id, next?.worktree?.endsWith('~bob')]).toEqual([(first?.id ?? 0) + 1, true])
})

test('an id that is not known any more says that events were missed', async () => {
  const [first] = await follow(server, 1, { headers: { 'last-event-id': '1' } })
  expect(first?.type).toBe('missed')
})

test("another agent's events are refused", async () => {
  const response = await server.ask('GET', '/v1/events?worktree=bob')
  expect([response.status, (await bodyOf(response)).code]).toEqual([403, 'FORBIDDEN'])
})

test('closing the server ends the stream', async () => {
  const other = await startServer({ 'a.txt': 'one\n' })
  const events = follow(other, 1, {}, () => other.close())
  expect(await events).toEqual([])
})
