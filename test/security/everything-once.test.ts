import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fieldsIn, isRequired, sourcesOf } from '#src/commands/bind.js'
import type { Command, Route } from '#src/commands/command.js'
import { commands } from '#src/commands/registry.js'
import { runProgram, type Served, serve, startProgram } from '../faces/cli/run.js'
import { buildHostile, makePlace, processesAt } from './hostile.js'

const world = buildHostile()
const { hostile } = world
const state = makePlace('state')
const env = { XDG_STATE_HOME: state }
const flags = ['--branch-prefix', 'editlatch', '--worktrees', join(state, 'worktrees')]

/** What is sent for a field, by its name; a field that is not here is sent only where it must be, as a text. */
type Values = Readonly<Record<string, unknown>>

const file = 'docs/crlf.txt'
const edits = (path: string): readonly unknown[] => [
  { op: 'write_file', path, expected_rev: null, text: 'x\n' },
]

/** The order of the list, but what ends a worktree comes last. */
const inOrder = commands.toSorted((a, b) => Number(a.name === 'close') - Number(b.name === 'close'))

const counts: Record<string, number> = { answered: 0, refused: 0, failed: 0 }
const count = (what: string): void => {
  counts[what] = (counts[what] ?? 0) + 1
}

test('registration refuses it for the objects that it borrows, and says so', async () => {
  const ran = await runProgram(['serve', '--json', ...flags, hostile.path], { env })
  expect([ran.code, JSON.parse(ran.stderr)]).toEqual([
    3,
    expect.objectContaining({
      code: 'UNSUPPORTED_REPOSITORY',
      problem: expect.stringContaining('objects/info/alternates'),
    }),
  ])
  expect(world.canaries()).toEqual([])
  rmSync(hostile.alternates)
})

test('EXEC-1: every route once runs nothing of it and changes nothing outside', async () => {
  const before = world.outside()
  const served = await serve([...flags, hostile.path], { env })
  const asked: string[] = []
  for (const values of [await sensible(served), hostileValues]) {
    for (const command of inOrder) {
      for (const route of command.routes) {
        const status = await ask(served, command, route, values)
        asked.push(`${status} ${route.method} ${route.path}`)
        count(status < 300 ? 'answered' : status < 500 ? 'refused' : 'failed')
      }
    }
  }
  console.info('every route of the hostile repository:', counts)
  expect(asked.filter(line => line.startsWith('5'))).toEqual([])
  expect([counts.answered, counts.refused].map(number => (number ?? 0) > 0)).toEqual([true, true])
  expect(await served.stop()).toBe(0)
  expect(world.canaries()).toEqual([])
  expect(world.outside()).toBe(before)
  expect(processesAt(world.directory)).toEqual([])
  expect(served.printed()).not.toContain('unexpected')
})

test('EXEC-1: every command of the command line once, too', async () => {
  const before = world.outside()
  const values = { ...(await sensible()), agent: 'cli', worktree: 'cli', glob: '**' }
  const codes: Record<string, number | null> = {}
  for (const command of inOrder) {
    const body = command.name === 'edit' ? JSON.stringify({ edits: edits('cli.txt') }) : 'x\n'
    codes[command.name] = await runOnce(command, values, body)
  }
  const ended = Object.values(codes)
  console.info('every command on the hostile repository:', codes)
  expect(ended.filter(code => code === 0).length).toBeGreaterThan(0)
  expect(ended.filter(code => code === 3).length).toBeGreaterThan(0)
  // 0 done, 3 refused; nothing fails and nothing is wrong usage.
  expect(ended.filter(code => code !== 0 && code !== 3)).toEqual([])
  expect(world.canaries()).toEqual([])
  expect(world.outside()).toBe(before)
  expect(processesAt(world.directory)).toEqual([])
})

test("the same repository under the user's own git runs what it has planted", async () => {
  await world.repository.git('status').catch(() => '')
  expect(world.canaries()).toContain('fsmonitor')
})

/** Values with which most commands have something to do. */
async function sensible(served?: Served): Promise<Values> {
  const base = { agent: 'walker', worktree: 'walker', path: file, lines: '1-2', glob: '*.txt' }
  const head = await world.repository.git('rev-parse', 'refs/heads/main')
  const more = { edits: edits('new.txt'), content: 'whole\n', commit: head, message: 'm' }
  const draft = { draft: 'd', after_lines: 0, text: 'x\n', op: 'write_file', expected_rev: 'new' }
  const values = {
    ...base,
    ...more,
    ...draft,
    must_not_exist: true,
    limit: 3,
    full: true,
    model: 'm',
  }
  if (served === undefined) return values
  const json = (path: string, body: object): Promise<{ readonly commit: string }> =>
    fetch(served.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${served.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }).then(async answer => JSON.parse(await answer.text()))
  await json('/v1/worktrees', { agent: 'walker' })
  const { commit } = await json('/v1/worktrees/walker/batches', { edits: edits('first.txt') })
  return { ...values, commit, path: 'put.txt', since: head }
}

const hostileValues: Values = {
  agent: '--output=pwned',
  repo: '../outside',
  base: '--upload-pack=touch pwned',
  worktree: 'walker',
  path: 'link-dir/f.txt',
  lines: '--output',
  commit: '--output=pwned',
  since: ':/x',
  glob: '{{{{',
  prefix: '../',
  edits: edits('link-dotgit/config'),
  content: 'x',
  message: '$(touch pwned)',
}

/** Sends each field that has a value to the place the command binds it to; answers the status. */
async function ask(
  served: Served,
  command: Command,
  route: Route,
  values: Values,
): Promise<number> {
  const preset = Object.keys(route.preset ?? {})
  const fields = Object.keys(command.bind).filter(field => !preset.includes(field))
  const given = (field: string): unknown =>
    values[field] ?? (isRequired(command, field) ? 'x' : undefined)
  const at = (place: string): readonly (readonly [string, unknown])[] =>
    fields
      .filter(field => sourcesOf(command, field)[0]?.startsWith(place))
      .filter(field => given(field) !== undefined)
      .map(field => [field, given(field)] as const)
  const query = new URLSearchParams(
    at('query').map(([name, value]): [string, string] => [name, String(value)]),
  )
  const path = route.path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(String(given(name))))
  const takesJson = fieldsIn(command, 'json').length > 0
  const raw = at('raw-body')[0]?.[1]
  const body = takesJson ? JSON.stringify(Object.fromEntries(at('json'))) : raw
  const leaving = new AbortController()
  const response = await fetch(`${served.url}${path}?${query}`, {
    method: route.method,
    headers: {
      authorization: `Bearer ${served.token}`,
      ...(takesJson && { 'content-type': 'application/json' }),
      ...(values.must_not_exist === true && raw !== undefined && { 'if-none-match': '*' }),
    },
    ...(typeof body === 'string' && { body }),
    signal: leaving.signal,
  })
  // A stream would go on.
  leaving.abort()
  return response.status
}

/** Runs one command in process; a stream is told to stop. */
async function runOnce(command: Command, values: Values, body: string): Promise<number | null> {
  const positional = command.positionals.flatMap(field =>
    values[field] === undefined ? [] : [String(values[field])],
  )
  const options = Object.keys(command.bind)
    .filter(field => isRequired(command, field) && !command.positionals.includes(field))
    .filter(field => !['edits', 'content', 'text'].includes(field))
    .flatMap(field => [`--${field.replaceAll('_', '-')}`, String(values[field] ?? 'x')])
  const args = [command.name, ...positional, ...options, '--repo', hostile.path, ...flags]
  if (command.name !== 'events') return (await runProgram(args, { env, input: body })).code
  const child = startProgram(args, { env })
  const ended = new Promise<number | null>(resolve => child.on('close', resolve))
  while (!processesAt(hostile.path).some(line => line.includes('events'))) await pause()
  child.kill('SIGTERM')
  // Told before it listens for signals it just ends.
  return (await ended) ?? 0
}

function pause(): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, 20))
}
