import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { bodyOf, outcome, startServer } from './server.js'

const files = { 'a.txt': 'one\n', 'd/b.txt': 'two\n' }

describe('a worktree without files over HTTP', async () => {
  const server = await startServer(files)
  const opened = await server.ask('POST', '/v1/worktrees', {
    token: server.tokens.server,
    json: { agent: 'carol', files: 'none' },
  })
  const { path, token, files: mode } = await bodyOf(opened)
  const place = '/v1/worktrees/carol'
  const there = (name: string): boolean => existsSync(join(String(path), name))

  test('is opened, and its files come when they are asked for', async () => {
    expect([opened.status, mode, there('a.txt')]).toEqual([201, 'none', false])
    const state = await bodyOf(await server.ask('GET', `${place}/state`, { token }))
    expect(state.absent_files).toBe(2)
    const some = await server.ask('POST', `${place}/materialise`, { token, json: { paths: ['d'] } })
    expect([some.status, await bodyOf(some)]).toEqual([
      200,
      { id: expect.stringMatching(/~carol$/), written: 1, kept: [], absent_files: 1 },
    ])
    expect([there('a.txt'), there('d/b.txt')]).toEqual([false, true])
    await server.ask('POST', `${place}/materialise`, { token, json: {} })
    expect(there('a.txt')).toBe(true)
  })

  test.each([
    ['another agent', 'bob', '403 FORBIDDEN'],
    ['who may only read', 'reader', '403 FORBIDDEN'],
  ] as const)('%s is refused', async (_, who, expected) => {
    const of = who === 'reader' ? '/v1/worktrees/alice' : place
    const asked = server.ask('POST', `${of}/materialise`, { token: server.tokens[who], json: {} })
    expect(await outcome(asked)).toBe(expected)
  })

  test('a wrong mode is refused', async () => {
    const json = { agent: 'dora', files: 'some' }
    const asked = server.ask('POST', '/v1/worktrees', { token: server.tokens.server, json })
    expect(await outcome(asked)).toBe('400 INVALID_ARGUMENTS')
  })
})

describe('looking after things over HTTP', async () => {
  const server = await startServer(files)

  test('verify answers what was read twice', async () => {
    await server.ask('PUT', '/v1/worktrees/alice/file?path=n.txt', {
      body: 'n\n',
      headers: { 'content-type': 'application/octet-stream', 'if-none-match': '*' },
    })
    const response = await server.ask('POST', '/v1/worktrees/alice/verify')
    expect([response.status, await bodyOf(response)]).toMatchObject([
      200,
      { ok: true, checked: { commits: 1, blobs: 1, trailers: 1 }, problems: [], complete: true },
    ])
  })

  test('doctor answers its checks to who holds the server’s token', async () => {
    const response = await server.ask('GET', '/v1/doctor', { token: server.tokens.server })
    const { checks } = await bodyOf(response)
    expect([response.status, Array.isArray(checks)]).toEqual([200, true])
    expect(await outcome(server.ask('GET', '/v1/doctor'))).toBe('403 FORBIDDEN')
  })
})
