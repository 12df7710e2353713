import { createServer } from 'node:http'
import { afterAll, describe, expect, test } from 'vitest'
import { type Clock, createClient, EditlatchUnreachable, isRefusal } from '#src/agent/client.js'
import { createHttpFace } from '#src/faces/http/server.js'
import { startServer } from '../faces/http/server.js'
import { startProxy } from './tcp-proxy.js'

const server = await startServer({ 'a.txt': 'one\n' })
const silent = { info: () => undefined, error: () => undefined }
/** The same gateway, which may be reached by other ports than its own. */
const behind = await createHttpFace(silent).serve(server.gateway, {
  host: '127.0.0.1',
  port: 0,
  allowHosts: ['127.0.0.1'],
})
const proxy = await startProxy(Number(new URL(behind.url).port))
afterAll(async () => {
  await proxy.close()
  await behind.close()
})
const { tokens } = server
const worktree = 'alice'
const direct = createClient({ url: server.url, token: tokens.alice })

/** A clock without waiting, which notes how long it was asked to. */
function testClock(): Clock & { readonly slept: number[] } {
  const slept: number[] = []
  return {
    slept,
    nowMs: () => Date.parse('2026-01-01T00:00:00Z'),
    random: () => 1,
    sleep: async ms => {
      slept.push(ms)
    },
  }
}

interface Told {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly code?: string
  readonly nextAction?: string
}

/** A server that says the answers of a list, one after the other. */
async function tellingServer(answers: readonly Told[]): Promise<{ url: string; asked(): number }> {
  let asked = 0
  const http = createServer((_, outgoing) => {
    const { status, headers = {}, code, nextAction = 'retry' } = answers[asked] ?? { status: 500 }
    asked += 1
    const type = status === 200 ? 'application/json' : 'application/problem+json'
    const problem = { code, status, detail: 'It is so.', next_action: nextAction }
    outgoing.writeHead(status, { 'content-type': type, ...headers })
    outgoing.end(
      status === 200
        ? '{"repositories":[]}'
        : code === undefined
          ? '<html>'
          : JSON.stringify(problem),
    )
  })
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve))
  afterAll(() => http.close())
  const address = http.address()
  const port = typeof address === 'object' ? address?.port : 0
  return { url: `http://127.0.0.1:${port}`, asked: () => asked }
}

const limited: Told = { status: 429, code: 'RATE_LIMITED', headers: { 'retry-after': '3' } }
const atTwo: Told = { ...limited, headers: { 'retry-after': 'Thu, 01 Jan 2026 00:00:02 GMT' } }
const fault: Told = { status: 503, code: 'IO_FAULT', headers: { 'retry-after': '0' } }
const gateway: Told = { status: 502 }
const good: Told = { status: 200 }

describe('reading is tried again where that may help', () => {
  test.each<[string, readonly Told[], readonly number[], string]>([
    ['Retry-After in seconds', [limited, good], [3_000], 'answer'],
    ['Retry-After as a date', [atTwo, good], [2_000], 'answer'],
    ['a growing time', [fault, fault, fault, good], [200, 400, 800], 'answer'],
    ['a proxy without its server', [gateway, good], [200], 'answer'],
    ['four times in all', [fault, fault, fault, fault, good], [200, 400, 800], 'IO_FAULT'],
    [
      'not where it would wait for long',
      [{ ...limited, headers: { 'retry-after': '11' } }],
      [],
      'RATE_LIMITED',
    ],
    [
      'not what will not pass',
      [{ status: 404, code: 'NOT_FOUND', nextAction: 'fix_request' }],
      [],
      'NOT_FOUND',
    ],
    ['not what somebody else must end', [{ status: 423, code: 'LOCKED' }], [], 'LOCKED'],
    [
      'not a batch that stands',
      [{ status: 503, code: 'NOT_DURABLE', nextAction: 'reread', headers: { 'retry-after': '1' } }],
      [],
      'NOT_DURABLE',
    ],
    ['not a foreign answer', [{ status: 404 }], [], 'EditlatchUnreachable'],
    [
      'not a page instead of an answer',
      [{ status: 200, headers: { 'content-type': 'text/html' } }],
      [],
      'EditlatchUnreachable',
    ],
  ])('%s', async (_, answers, slept, outcome) => {
    const clock = testClock()
    const { url, asked } = await tellingServer(answers)
    const came = await createClient({ url, token: 't', clock })
      .repos()
      .then(
        () => 'answer',
        error => (isRefusal(error) ? error.code : String(error.name)),
      )
    expect([came, clock.slept, asked()]).toEqual([outcome, slept, slept.length + 1])
  })

  test('what changes something is only tried again with a key', async () => {
    const edit = async (key: { readonly idempotency_key?: string }): Promise<number> => {
      const { url, asked } = await tellingServer([
        fault,
        { status: 409, code: 'KEY_IN_FLIGHT' },
        good,
      ])
      const client = createClient({ url, token: 't', clock: testClock() })
      await client.edit({ worktree, edits: '[]', ...key }).catch(() => undefined)
      return asked()
    }
    expect([await edit({}), await edit({ idempotency_key: 'k' })]).toEqual([1, 3])
  })
})

describe('a connection that breaks before the answer', () => {
  const through = createClient({ url: proxy.url, token: tokens.alice, clock: testClock() })
  const append = (text: string) => [{ op: 'append_lines', path: 'a.txt', text }] as const

  test('reading goes on', async () => {
    proxy.loseAnswers(2)
    expect((await through.read({ worktree, path: 'a.txt' })).text).toBe('one\n')
  })

  test('a batch with a key is done once, and answered', async () => {
    const { head } = await direct.state({ worktree })
    proxy.loseAnswers(1)
    const receipt = await through.edit({
      worktree,
      edits: append('two\n'),
      expected_head: head,
      idempotency_key: 'once',
    })
    const { batches } = await direct.log({ worktree })
    expect([receipt.parent, batches.map(({ key }) => key)]).toEqual([head, ['once']])
    expect(batches[0]?.commit).toBe(receipt.commit)
  })

  test('a batch without a key is not sent twice, and it is said that it may have been done', async () => {
    const { head } = await direct.state({ worktree })
    proxy.loseAnswers(1)
    const lost = through.edit({ worktree, edits: append('three\n'), expected_head: head })
    const error = await lost.catch((reason: unknown) => reason)
    if (!(error instanceof EditlatchUnreachable)) throw error
    expect([error.isUndone, error.message]).toEqual([
      false,
      expect.stringContaining('may have been done'),
    ])
    expect((await direct.log({ worktree })).batches.length).toBe(2)
  })

  test('events go on after the last one that came', async () => {
    const stop = new AbortController()
    const seen: unknown[] = []
    const bob = createClient({ url: server.url, token: tokens.bob })
    const edit = async (): Promise<string | null> => {
      const { head } = await bob.state({ worktree: 'bob' })
      return (
        await bob.edit({ worktree: 'bob', edits: append(`${seen.length}\n`), expected_head: head })
      ).commit
    }
    const first = await edit()
    const commits = [first]
    const follower = createClient({ url: proxy.url, token: tokens.bob, clock: testClock() })
    for await (const event of follower.events({ since: 1 }, { signal: stop.signal })) {
      if (event.type !== 'batch') continue
      seen.push(event.commit)
      if (seen.length === 3) stop.abort()
      else {
        proxy.cut()
        commits.push(await edit())
      }
    }
    expect(seen).toEqual(commits)
  })

  test('events end with an error where nobody takes them up again', async () => {
    const gone = await startProxy(server.port)
    await gone.close()
    const clock = testClock()
    const follower = createClient({ url: gone.url, token: tokens.bob, clock })
    await expect(follower.events().next()).rejects.toThrow(EditlatchUnreachable)
    expect(clock.slept).toEqual([200, 400, 800])
  })
})

describe('a signal', () => {
  test('that is aborted already sends nothing', async () => {
    const before = proxy.connections
    const client = createClient({ url: proxy.url, token: tokens.alice })
    const signal = AbortSignal.abort('enough')
    await expect(client.state({ worktree }, { signal })).rejects.toBe('enough')
    expect(proxy.connections).toBe(before)
  })

  test('ends a request in flight, and a wait', async () => {
    const stop = new AbortController()
    const client = createClient({
      url: server.url,
      token: tokens.alice,
      fetch: (_, init) => {
        const sent = fetch(server.url, init)
        stop.abort('enough')
        return sent
      },
    })
    await expect(client.state({ worktree }, { signal: stop.signal })).rejects.toBe('enough')
    const { url } = await tellingServer([limited, good])
    const waiting = createClient({ url, token: 't' }).repos(
      {},
      { signal: AbortSignal.timeout(200) },
    )
    await expect(waiting).rejects.toThrow('timeout')
  })
})

test('the token goes to no other server', async () => {
  const { url, asked } = await tellingServer([good])
  const { url: away } = await tellingServer([{ status: 307, headers: { location: url } }])
  const client = createClient({ url: away, token: 't', tries: 1 })
  await expect(client.repos()).rejects.toThrow(EditlatchUnreachable)
  expect(asked()).toBe(0)
})

test('a server may stand below a path', async () => {
  const asked: string[] = []
  const client = createClient({
    url: 'http://a.test/gate/',
    token: 't',
    fetch: async input => {
      asked.push(String(input))
      return Response.json({ repositories: [] })
    },
  })
  await client.repos()
  expect(asked).toEqual(['http://a.test/gate/v1/repos'])
})
