import { expect, test } from 'vitest'
import { fieldsIn } from '#src/commands/bind.js'
import type { Command, Route } from '#src/commands/command.js'
import { commands } from '#src/commands/registry.js'
import { seededRandom } from '../../support/random.js'
import { type AskOptions, startServer } from './server.js'

const server = await startServer({ 'a.txt': 'one\n', 'src/b.ts': 'two\n' })

/** Values that have broken servers before. */
const values: readonly unknown[] = [
  '',
  'a.txt',
  '../a.txt',
  '/etc/passwd',
  '.git/config',
  '--output=pwned',
  '-c',
  '$(touch pwned)',
  'a\u0000b',
  'a\nb',
  '\ud800',
  'constructor',
  '0'.repeat(40),
  'x'.repeat(5_000),
  'HEAD',
  '10-40',
  '*',
  -1,
  0,
  1e308,
  true,
  null,
  [],
  {},
  [{ op: 'write_file' }],
  [{ op: 'write_file', path: 'a.txt', expected_rev: null, text: 'x' }],
  [{ op: 'replace_text', path: '--', expected_rev: 'x', find: '', replace: '' }],
]

const routes = commands
  .filter(command => command.name !== 'events')
  .flatMap(command => command.routes.map((route): [Command, Route] => [command, route]))

test('HTTP-6: no input makes the server fail', async () => {
  const random = seededRandom(20_260_101)
  const failures: unknown[] = []
  for (let round = 0; round < 600; round += 1) {
    const [command, route] = random.pick(routes)
    const { path, options } = request(command, route, () => random.pick(values))
    const response = await server.ask(route.method, path, options)
    await response.arrayBuffer()
    if (response.status >= 500) failures.push([route.method, path, options, response.status])
  }
  expect(failures).toEqual([])
  expect(server.logged.filter(line => line.includes('unexpected'))).toEqual([])
})

function request(
  command: Command,
  route: Route,
  value: () => unknown,
): { readonly path: string; readonly options: AskOptions } {
  const text = (): string => String(value()).toWellFormed()
  const query = new URLSearchParams(
    fieldsIn(command, 'query').map((field): [string, string] => [field, text()]),
  )
  const path = route.path
    .replace(':worktree', 'alice')
    .replace(':commit', encodeURIComponent(text()))
  const json = Object.fromEntries(fieldsIn(command, 'json').map(field => [field, value()]))
  const body = {
    ...(fieldsIn(command, 'json').length > 0 && { json }),
    ...(fieldsIn(command, 'raw-body').length > 0 && { body: text() }),
  }
  // Closing it for good would end the work of the rounds to come.
  const token = command.name === 'close' ? {} : { token: server.tokens.server }
  return { path: `${path}?${query}`, options: { ...token, ...body } }
}
