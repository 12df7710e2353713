import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { type AskOptions, outcome, sendRaw, startServer } from './server.js'

const server = await startServer({ 'a.txt': 'one\n' }, { bodyBytes: 100_000 })
const { port } = server
const batches = '/v1/worktrees/alice/batches'

const head = (more: string): string =>
  `POST ${batches} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n` +
  `Authorization: Bearer ${server.tokens.alice}\r\nContent-Type: application/json\r\n${more}\r\n\r\n`

async function rawOutcome(...parts: readonly (string | Uint8Array)[]): Promise<string> {
  const answer = await sendRaw(port, ...parts)
  const status = /^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 'none'
  return `${status} ${/"code":"(\w+)"/.exec(answer)?.[1] ?? ''}`.trim()
}

describe('HTTP-5: JSON is read strictly', () => {
  test.each<[string, string | Uint8Array<ArrayBuffer>, string]>([
    ['not UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]), '400 INVALID_ARGUMENTS'],
    ['a byte order mark', '\ufeff{"edits":[]}', '400 INVALID_ARGUMENTS'],
    ['a key twice', '{"edits":[],"edits":[]}', '400 INVALID_ARGUMENTS'],
    ['__proto__', '{"__proto__":{"dry_run":true},"edits":[]}', '400 INVALID_ARGUMENTS'],
    ['too deep', `{"edits":${'['.repeat(5_000)}`, '400 INVALID_ARGUMENTS'],
    ['NaN', '{"edits":NaN}', '400 INVALID_ARGUMENTS'],
    ['cut off', '{"edits":[{"op":"write', '400 ARGUMENTS_TRUNCATED'],
    ['no object', '[]', '400 INVALID_ARGUMENTS'],
    ['an unknown field', '{"edits":[],"editz":[]}', '400 INVALID_ARGUMENTS'],
    ['a field of the path', '{"edits":[],"worktree":"bob"}', '400 INVALID_ARGUMENTS'],
    ['an empty body', '', '400 INVALID_ARGUMENTS'],
  ])('%s', async (_, body, expected) => {
    const options = { body, headers: { 'content-type': 'application/json' } }
    expect(await outcome(server.ask('POST', batches, options))).toBe(expected)
  })
})

test.each<[string, AskOptions]>([
  ['as JSON', { json: { dialect: 'markdown', patch: '```edit:a.txt rev:REV\n' } }],
  [
    'as the body',
    { body: '```edit:a.txt rev:REV\n', headers: { 'content-type': 'text/markdown' } },
  ],
])('a text is read without edits, sent %s', async (_, options) => {
  const path = options.json === undefined ? `${batches}?dialect=markdown` : batches
  expect(await outcome(server.ask('POST', path, options))).toBe('422 DIALECT_UNPARSABLE')
})

describe('DOS-1: a body is bounded before it is looked at', () => {
  test('a length over the limit', async () =>
    expect(await rawOutcome(head('Content-Length: 100001'))).toBe('413 TOO_LARGE'))

  test('an absurd length', async () =>
    expect(await rawOutcome(head('Content-Length: 99999999999999'))).toBe('413 TOO_LARGE'))

  test('chunks over the limit', async () => {
    const chunk = `${(60_000).toString(16)}\r\n${'x'.repeat(60_000)}\r\n`
    expect(await rawOutcome(head('Transfer-Encoding: chunked'), chunk, chunk)).toBe('413 TOO_LARGE')
  })

  test('a length beside chunks', async () =>
    expect(
      await rawOutcome(
        head('Content-Length: 2\r\nTransfer-Encoding: chunked'),
        '2\r\n{}\r\n0\r\n\r\n',
      ),
    ).toBe('400'))

  test('a length that is shorter than the body', async () =>
    expect(await rawOutcome(head('Content-Length: 2'), `{}${'x'.repeat(1_000)}`)).toMatch(/^400/))

  test('a packed body', async () => {
    const body = gzipSync('{"edits":[]}')
    const packed = head(`Content-Encoding: gzip\r\nContent-Length: ${body.length}`)
    expect(await rawOutcome(packed, body)).toBe('415 UNSUPPORTED_MEDIA_TYPE')
  })

  test('headers over the limit', async () =>
    expect(await rawOutcome(head(`X-Long: ${'x'.repeat(20_000)}`))).toBe('431'))

  test('a body for a route that takes none', async () =>
    expect(
      await outcome(server.ask('DELETE', '/v1/worktrees/alice', { json: { force: true } })),
    ).toBe('400 INVALID_ARGUMENTS'))

  test('the server still answers', async () =>
    expect(await outcome(server.ask('GET', '/healthz'))).toBe('200'))
})

describe('queries are read strictly', () => {
  test.each([
    ['an unknown parameter', '?path=a.txt&x=1'],
    ['a parameter twice', '?path=a.txt&path=b.txt'],
    ['a parameter in two spellings', '?path=a.txt&%70ath=b.txt'],
    ['bytes that are not UTF-8', '?path=%ff'],
    ['half an escape', '?path=a%2'],
    ['no path', ''],
    ['lines that are none', '?path=a.txt&lines=--output'],
    ['a view that is none', '?path=a.txt&view=html'],
    ['a field of a header', '?path=a.txt&known_rev=x'],
    ['a field of the route', '?path=a.txt&worktree=bob'],
    ['__proto__', '?path=a.txt&__proto__=x'],
  ])('%s', async (_, query) =>
    expect(await outcome(server.ask('GET', `/v1/worktrees/alice/file${query}`))).toBe(
      '400 INVALID_ARGUMENTS',
    ),
  )

  test('a preset of the route cannot be sent', async () =>
    expect(await outcome(server.ask('GET', '/v1/worktrees/alice/diff?mark=true'))).toBe(
      '400 INVALID_ARGUMENTS',
    ))
})
