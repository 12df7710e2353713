import { describe, expect, test } from 'vitest'
import { fieldsIn } from '#src/commands/bind.js'
import type { Command, Route } from '#src/commands/command.js'
import { commands } from '#src/commands/registry.js'
import { type AskOptions, bodyOf, outcome, startServer } from './server.js'

const server = await startServer({ 'a.txt': 'one\n' })
const id = (await server.gateway.worktrees()).find(one => one.agent === 'alice')?.id ?? ''

const routes = commands.flatMap(command =>
  command.routes.map((route): [string, Command, Route] => [
    `${route.method} ${route.path}`,
    command,
    route,
  ]),
)

const pathOf = (route: Route, worktree = id): string =>
  route.path.replace(':worktree', encodeURIComponent(worktree)).replace(':commit', '0'.repeat(40))

/** A request that passes every check before the token's. */
function wellFormed(command: Command): AskOptions {
  const takesJson = fieldsIn(command, 'json').length > 0
  return takesJson ? { json: {} } : {}
}

const needsServer = (command: Command, route: Route): boolean =>
  (route.access ?? command.access) === 'server'

describe('HTTP-1: a token is needed everywhere', () => {
  const wrong: readonly [string, string][] = [
    ['none', ''],
    ['a wrong one', 'Bearer wrong-token-of-the-tests-0123456789'],
    ['the right one in another scheme', `Basic ${server.tokens.server}`],
    ['the right one without a scheme', server.tokens.server],
    ['one with a changed end', `Bearer ${server.tokens.alice.slice(0, -2)}xx`],
  ]
  const cases = routes.flatMap(([name, command, route]) =>
    wrong.map(([what, header]) => [`${name} with ${what}`, command, route, header] as const),
  )

  test.each(cases)('%s', async (_, command, route, authorization) => {
    const response = await server.ask(route.method, pathOf(route), {
      ...wellFormed(command),
      headers: { authorization },
    })
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer realm="editlatch"',
    ])
    await response.body?.cancel()
  })

  test.each(routes)('%s with the token in the query', async (_, command, route) => {
    const path = `${pathOf(route)}?token=${server.tokens.server}`
    const options = { ...wellFormed(command), headers: { authorization: '' } }
    expect(await outcome(server.ask(route.method, path, options))).toBe('401 UNAUTHENTICATED')
  })

  test.each(['/', '/v1', '/v1/nothing', '/metrics'])('%s', async path =>
    expect(await outcome(server.ask('GET', path, { headers: { authorization: '' } }))).toBe(
      '401 UNAUTHENTICATED',
    ),
  )
})

describe('CONC-5: a token opens what it is for and nothing else', () => {
  const ofWorktree = routes.filter(([, , route]) => route.path.includes(':worktree'))
  const editing = routes.filter(([, command, route]) => (route.access ?? command.access) === 'edit')
  const ofServer = routes.filter(([, command, route]) => needsServer(command, route))

  test.each(ofWorktree)("%s with another agent's token", async (_, command, route) => {
    const options = { ...wellFormed(command), token: server.tokens.bob }
    expect(await outcome(server.ask(route.method, pathOf(route), options))).toBe('403 FORBIDDEN')
  })

  test.each(editing)('%s with a token that only reads', async (_, command, route) => {
    const options = { ...wellFormed(command), token: server.tokens.reader }
    expect(await outcome(server.ask(route.method, pathOf(route), options))).toBe('403 FORBIDDEN')
  })

  test.each(ofServer)("%s with an agent's token", async (_, command, route) =>
    expect(await outcome(server.ask(route.method, pathOf(route), wellFormed(command)))).toBe(
      '403 FORBIDDEN',
    ),
  )

  test('a worktree that is not there looks the same as one of somebody else', async () =>
    expect(await outcome(server.ask('GET', '/v1/worktrees/nobody'))).toBe('403 FORBIDDEN'))

  test('the short name of its own worktree is enough', async () =>
    expect(await outcome(server.ask('GET', '/v1/worktrees/alice'))).toBe('200'))

  test('an agent cannot force its worktree closed', async () =>
    expect(await outcome(server.ask('DELETE', '/v1/worktrees/alice?force=true'))).toBe(
      '403 FORBIDDEN',
    ))

  test("the numbers are the server's", async () => {
    expect(await outcome(server.ask('GET', '/metrics'))).toBe('403 FORBIDDEN')
    expect(await outcome(server.ask('GET', '/metrics', { token: server.tokens.server }))).toBe(
      '200',
    )
  })
})

describe('methods and paths', () => {
  test('a method that a path does not take is told which it takes', async () => {
    const response = await server.ask('DELETE', '/v1/worktrees/alice/file')
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, PUT'])
    expect(await bodyOf(response)).toMatchObject({ code: 'METHOD_NOT_ALLOWED', allow: 'GET, PUT' })
  })

  test('a path that is not there', async () =>
    expect(await outcome(server.ask('GET', '/v1/nothing'))).toBe('404 NOT_FOUND'))

  test.each(['/v1/worktrees/alice/file/', '/v1//worktrees/alice', '/V1/worktrees/alice'])(
    '%s is not a spelling of a path',
    async path => expect(await outcome(server.ask('GET', path))).toBe('404 NOT_FOUND'),
  )

  test('HEAD answers like GET, without a body', async () => {
    const path = '/v1/worktrees/alice/file?path=a.txt'
    const [head, get] = [await server.ask('HEAD', path), await server.ask('GET', path)]
    expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([
      200,
      get.headers.get('etag'),
      '',
    ])
  })

  test('HEAD of the event stream ends', async () =>
    expect(await outcome(server.ask('HEAD', '/v1/events'))).toBe('200'))

  test.each(['/healthz', '/readyz', '/openapi.json'])('%s needs no token', async path =>
    expect(await outcome(server.ask('GET', path, { headers: { authorization: '' } }))).toBe('200'),
  )
})

test('every answer keeps caches, frames and sniffers away', async () => {
  const paths = ['/v1/worktrees/alice', '/v1/nothing', '/healthz']
  for (const path of paths) {
    const { headers } = await server.ask('GET', path)
    expect([
      headers.get('cache-control'),
      headers.get('x-content-type-options'),
      headers.get('cross-origin-resource-policy'),
      headers.get('content-security-policy')?.startsWith("default-src 'none'"),
      headers.get('access-control-allow-origin'),
    ]).toEqual(['no-store', 'nosniff', 'same-origin', true, null])
  }
})

test('SEC-1: no token is in the log', () => {
  const log = server.logged.join('\n')
  const found = Object.values(server.tokens).filter(token => log.includes(token))
  expect([server.logged.length > 0, found]).toEqual([true, []])
})
