import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fieldKind, sourcesOf } from '#src/commands/bind.js'
import { commands } from '#src/commands/registry.js'
import { opTypes } from '#src/edit/ops/registry.js'
import { type AskOptions, outcome, startServer, type TestServer } from '../faces/http/server.js'
import { digestOf } from './hostile.js'

const server = await startServer({ 'a.txt': 'one\n' })
const worktree = await server.gateway.worktree('alice')
const { path: root } = await worktree.describe()
const neighbour = `${root}-evil`
mkdirSync(neighbour)
writeFileSync(join(neighbour, 'f'), 'secret\n')

type Asking = (server: TestServer, path: string) => Promise<Response>

/** What a command must be told besides a path. */
const alsoNeeded: Readonly<Record<string, object>> = {
  'draft-commit': { expected_rev: 'new', op: 'write_file' },
}

/** Every field of every route that takes a path of the repository, and how it is filled. */
const places: readonly (readonly [name: string, ask: Asking])[] = commands.flatMap(command =>
  command.routes.flatMap(route =>
    Object.keys(command.bind)
      .filter(field => /^paths?$/.test(field))
      .map((field): readonly [string, Asking] => {
        const isQuery = sourcesOf(command, field)[0] === 'query'
        const ask: Asking = ({ ask, tokens }, path) => {
          const isList = fieldKind(command, field) === 'texts'
          const value = isList ? [path] : path
          // In a query a list has one a line, so that a break ends a path there.
          const said = isList ? path.replaceAll('\n', '\v') : path
          const target = route.path.replace(':worktree', 'alice').replace(':draft', 'd')
          const rest = 'pattern' in command.bind ? '&pattern=x' : ''
          const query = isQuery ? `?${field}=${encodeURIComponent(said)}${rest}` : ''
          const isWrite = 'content' in command.bind
          const options: AskOptions = isQuery
            ? { ...(isWrite && { body: 'x', headers: { 'if-none-match': '*' } }) }
            : { json: { ...alsoNeeded[command.name], [field]: value } }
          return ask(route.method, target + query, { token: tokens.server, ...options })
        }
        return [`${route.method} ${route.path} ${field}`, ask]
      }),
  ),
)

/** A record of each op with everything but its paths. */
const filled: Readonly<Record<string, unknown>> = {
  find: 'one',
  replace: 'two',
  line: 1,
  start_line: 1,
  end_line: 1,
  contains: 'one',
  symbol: 'one',
  text: 'x',
  executable: true,
}

const opPlaces = opTypes.flatMap(({ name, schema }) => {
  const known = Object.entries(filled).filter(([field]) => field in schema.shape)
  return ['path', ...('to' in schema.shape ? ['to'] : [])].map(
    (field): readonly [string, Asking] => [
      `${name} ${field}`,
      ({ ask }, path) => {
        const rest = { path: 'a.txt', ...('to' in schema.shape && { to: 'b.txt' }) }
        const edit = { op: name, ...Object.fromEntries(known), ...rest, [field]: path }
        return ask('POST', '/v1/worktrees/alice/batches', { json: { edits: [edit] } })
      },
    ],
  )
})

const bad = [
  '../x',
  '..',
  '.',
  './a.txt',
  'a/../../x',
  'a/..',
  'a/./b',
  'a//b',
  'a/',
  '/x',
  '//server/share/x',
  '/etc/passwd',
  '/proc/self/environ',
  '\\..\\x',
  '..\\x',
  'C:/x',
  'c:x',
  'a\0.txt',
  'a\nb',
  'a\u007f',
  '',
  `../${root.slice(root.lastIndexOf('/') + 1)}-evil/f`,
  `${neighbour}/f`,
  'a/'.repeat(3_000),
  `${'n'.repeat(256)}`,
]

describe('PATH-1, PATH-2: no path leads out of the worktree, not into a neighbour with a longer name either', () => {
  const before = [digestOf(neighbour), digestOf(server.repository.path), digestOf(root)]

  test.each([...places, ...opPlaces])('%s', async (_, ask) => {
    const told: string[] = []
    for (const path of bad)
      told.push(`${JSON.stringify(path.slice(0, 40))} ${await outcome(ask(server, path))}`)
    expect(told.filter(line => !line.endsWith('400 BAD_PATH'))).toEqual([])
  })

  test('they are many, and nothing has changed', () => {
    expect([places.length >= 4, opPlaces.length > 10]).toEqual([true, true])
    const after = [digestOf(neighbour), digestOf(server.repository.path), digestOf(root)]
    expect(after).toEqual(before)
  })
})

describe('PATH-1: what looks like an escape and is a name is a name', () => {
  test.each(['%2e%2e', '..%2fx', '%252e%252e', '~', '~root', '...', '..a', 'a..', '$HOME'])(
    '%s',
    async name => {
      const query = `path=${encodeURIComponent(`${name}/f`)}`
      const place = `/v1/worktrees/alice/file?${query}`
      expect(await outcome(server.ask('GET', place))).toBe('404 FILE_NOT_FOUND')
      const written = server.ask('PUT', place, { body: 'x', headers: { 'if-none-match': '*' } })
      // A name that ends in dots is no name on some systems, and one in percent signs is just that.
      expect(await outcome(written)).toBe('201')
      expect(readdirSync(join(root, name))).toEqual(['f'])
    },
  )
})

test('PATH-1: a worktree in the path of the request cannot lead elsewhere either', async () => {
  for (const id of [
    '..%2f..%2fetc',
    '%2e%2e',
    'alice%2f..%2fbob',
    'alice%00',
    'repository~../alice',
  ]) {
    const told = await outcome(server.ask('GET', `/v1/worktrees/${id}/file?path=a.txt`))
    expect([id, told]).toEqual([id, expect.stringMatching(/^40[0-9] /)])
  }
})
