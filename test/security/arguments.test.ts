import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { fieldsIn, sourcesOf } from '#src/commands/bind.js'
import type { Command, Route } from '#src/commands/command.js'
import { commands } from '#src/commands/registry.js'
import { opTypes } from '#src/edit/ops/registry.js'
import { startServer } from '../faces/http/server.js'
import { readSources } from '../support/source-file.js'
import { makePlace } from './hostile.js'

const server = await startServer({ 'a.txt': 'one\n' })
const { repository, gateway } = server
// A ref that git itself would not make, but reads.
const head = await repository.git('rev-parse', 'HEAD')
await repository.write('.git/refs/heads/--output=pwned', `${head}\n`)
await repository.write('.git/refs/heads/-x', `${head}\n`)
const outside = makePlace('outside')
const { path: root } = await (await gateway.worktree('alice')).describe()

const payloads = [
  '--output=pwned',
  '--output',
  '-o',
  '-opwned',
  '--format=evil',
  `--output=${outside}/pwned`,
  '--upload-pack=touch pwned',
  '-cprotocol.ext.allow=always',
  '--exec=touch pwned',
  '--git-dir=/tmp',
  '-C/tmp',
  '--',
  '-',
  '--end-of-options',
  '@{-1}',
  'HEAD --output=pwned',
  '$(touch pwned)',
  '`touch pwned`',
  ';touch pwned',
  '| touch pwned',
  '\n--output=pwned',
  "'; touch pwned; '",
]

/** One way to send a text to the server. */
type Sending = (text: string) => Promise<Response>

const good: Readonly<Record<string, unknown>> = {
  worktree: 'alice',
  path: 'a.txt',
  commit: head,
  agent: 'alice',
  edits: [{ op: 'write_file', path: 'a.txt', expected_rev: null, text: 'x' }],
  content: 'x',
}

/** Every field of a command that a text can be sent for: by its place, all others as they should be. */
function sendings(command: Command): readonly (readonly [string, Sending])[] {
  return command.routes.flatMap(route =>
    Object.keys(command.bind)
      .filter(field => !(field in (route.preset ?? {})))
      .map((field): readonly [string, Sending] => [
        `${route.method} ${route.path} ${field}`,
        text => send(command, route, { ...required(command), [field]: text }),
      ]),
  )
}

function required(command: Command): Readonly<Record<string, unknown>> {
  const names = Object.keys(command.bind).filter(
    name => !(command.input.shape[name] instanceof z.ZodExactOptional),
  )
  return Object.fromEntries(names.map(name => [name, good[name] ?? 'x']))
}

function send(
  command: Command,
  route: Route,
  values: Readonly<Record<string, unknown>>,
): Promise<Response> {
  const placed = (place: string): [string, unknown][] =>
    Object.entries(values).filter(([field]) => sourcesOf(command, field)[0]?.startsWith(place))
  const query = new URLSearchParams(
    placed('query').map(([name, value]): [string, string] => [name, String(value)]),
  )
  const path = route.path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(String(values[name])))
  const headers = placed('header:').map(([field, value]): [string, string] => [
    (sourcesOf(command, field)[0] ?? '').slice('header:'.length),
    JSON.stringify(String(value)).replaceAll('\\n', ' '),
  ])
  const takesJson = fieldsIn(command, 'json').length > 0
  const raw = placed('raw-body')[0]?.[1]
  return server.ask(route.method, `${path}?${query}`, {
    token: server.tokens.server,
    headers: Object.fromEntries(headers),
    ...(takesJson && { json: Object.fromEntries(placed('json')) }),
    ...(raw !== undefined && { body: String(raw) }),
  })
}

const opSendings = opTypes.flatMap(({ name, schema }) =>
  Object.entries(schema.shape)
    .filter(([field]) => field !== 'op')
    .map(([field]): readonly [string, Sending] => [
      `${name} ${field}`,
      text => {
        const edit = { op: name, path: 'a.txt', expected_rev: null, [field]: text }
        const json = { edits: [edit] }
        return server.ask('POST', '/v1/worktrees/alice/batches', { json })
      },
    ]),
)

const walked = commands.filter(({ name }) => name !== 'events' && name !== 'close')

/** What any of the payloads would have left behind. */
function traces(): readonly string[] {
  const places = [root, repository.path, join(repository.path, '.git'), process.cwd(), '/', '/tmp']
  const made = places.filter(place => existsSync(join(place, 'pwned')))
  return [...made, ...readdirSync(outside)]
}

describe('ARG-1: no text that is sent becomes an option of git', () => {
  test.each([...walked.flatMap(sendings), ...opSendings])('%s', async (_, sending) => {
    const failed: string[] = []
    for (const payload of payloads) {
      const response = await sending(payload)
      await response.arrayBuffer()
      if (response.status >= 500) failed.push(`${response.status} ${payload}`)
    }
    expect([failed, traces()]).toEqual([[], []])
  })

  test('a ref that looks like an option is no name of a commit', async () => {
    for (const base of ['--output=pwned', '-x']) {
      const response = await server.ask('POST', '/v1/worktrees', {
        json: { agent: 'dash', base },
        token: server.tokens.server,
      })
      expect([response.status, JSON.parse(await response.text()).code]).toEqual([404, 'NOT_FOUND'])
    }
  })

  test.each([':/first', 'HEAD^{/first}', 'HEAD:a.txt', ':a.txt', '@{-1}', 'HEAD@{0}', 'a..b', '*'])(
    'nor is a search or a path: %s',
    async base => {
      const json = { agent: 'dash', base }
      const asked = server.ask('POST', '/v1/worktrees', { json, token: server.tokens.server })
      expect((await asked).status).toBe(404)
    },
  )

  test.each(['HEAD', 'main', 'refs/heads/main', head, head.slice(0, 10), 'HEAD~0', 'main^0'])(
    'while %s is one',
    async base => {
      const agent = `base-${base
        .replace(/[^a-z0-9]/gi, '')
        .toLowerCase()
        .slice(0, 20)}`
      const json = { agent, base }
      const asked = server.ask('POST', '/v1/worktrees', { json, token: server.tokens.server })
      expect((await asked).status).toBe(201)
    },
  )
})

describe('EXEC-3: there is no shell', () => {
  test('names that a shell would obey are names', async () => {
    const names = [
      '$(touch pwned)',
      '`touch pwned`',
      ';touch pwned',
      '|touch pwned',
      '&touch pwned',
    ]
    for (const name of names) {
      const place = `/v1/worktrees/alice/file?path=${encodeURIComponent(name)}`
      const headers = { 'if-none-match': '*' }
      expect((await server.ask('PUT', place, { body: 'x\r\n', headers })).status).toBe(201)
      // An attribute file makes git itself convert it, under its name.
      expect(readFileSync(join(root, name), 'utf8')).toBe('x\r\n')
    }
    const message = names.join('\n')
    const edits = [{ op: 'write_file', path: 'm', expected_rev: null, text: 'm' }]
    const json = { edits, message, intent: names.join(' ') }
    expect((await server.ask('POST', '/v1/worktrees/alice/batches', { json })).status).toBe(201)
    expect(traces()).toEqual([])
  })

  test('the sources start programs without one', () => {
    const sources = readSources('src')
    const isShell = /\bshell\s*:|\bexec(?:Sync|File)?\s*\(\s*['"`]|child_process['"][^;]*\bexec\b/
    const found = sources.filter(({ path }) =>
      isShell.test(readFileSync(join('src', path), 'utf8')),
    )
    expect([sources.length > 100, found.map(({ path }) => path)]).toEqual([true, []])
  })
})

test('the repository itself is as it was, its new branches apart', async () => {
  expect(await repository.git('status', '--porcelain')).toBe('')
  expect(await repository.git('rev-parse', 'HEAD')).toBe(head)
})
