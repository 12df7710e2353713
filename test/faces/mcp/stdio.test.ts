import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { defaultLimits } from '#src/core/limits.js'
import { makeRepository } from '../../support/repository.js'
import { runProgram, startProgram } from '../cli/run.js'

const repository = await makeRepository({ 'a.txt': 'one\n' })
const state = await mkdtemp(join(tmpdir(), 'state-'))
const env = { XDG_STATE_HOME: state }
const ways = ['--durability', 'process', '--worktrees', join(state, 'worktrees')]

const message = (id: number, method: string, params: object = {}): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`

const hello = message(1, 'initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'Pipes', version: '1' },
})

test('standard output carries nothing but messages, and the log goes elsewhere', async () => {
  const child = startProgram(['mcp', ...ways, repository.path], { env })
  let printed = ''
  child.stdout?.on('data', chunk => {
    printed += chunk
  })
  child.stdin?.write(`${hello}this is no JSON\n${message(2, 'tools/list')}`)
  while (printed.split('\n').length < 3) await once(child.stdout ?? child, 'data')
  child.stdin?.end()
  expect(await once(child, 'close')).toEqual([0, null])
  const answers = printed
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(answers.map(({ jsonrpc, id }) => [jsonrpc, id])).toEqual([
    ['2.0', 1],
    ['2.0', 2],
  ])
})

test('a message that can be read in two ways is refused, and the next one is answered', async () => {
  const child = startProgram(['mcp', ...ways, repository.path], { env })
  let printed = ''
  child.stdout?.on('data', chunk => {
    printed += chunk
  })
  let logged = ''
  child.stderr?.on('data', chunk => {
    logged += chunk
  })
  const call = (id: string, params: string): string =>
    `{"jsonrpc":"2.0"${id},"method":"tools/call","params":${params}}\n`
  child.stdin?.write(hello)
  child.stdin?.write(call(',"id":2', '{"name":"worktree_state","arguments":{"a":1,"\\u0061":2}}'))
  child.stdin?.write(call(',"id":"three"', '{"name":"repo_map","__proto__":{}}'))
  child.stdin?.write(call('', '{"name":"repo_map","name":"edit_files"}'))
  child.stdin?.write(call(',"id":5', `{"name":${'['.repeat(70)}${']'.repeat(70)}}`))
  // In two pieces, of which the first is no line.
  child.stdin?.write(message(6, 'tools/list').slice(0, 20))
  await new Promise(resolve => setTimeout(resolve, 50))
  child.stdin?.write(message(6, 'tools/list').slice(20))
  while (printed.split('\n').length < 6) await once(child.stdout ?? child, 'data')
  child.stdin?.end()
  expect(await once(child, 'close')).toEqual([0, null])
  const answers = printed
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
    .toSorted((a, b) => String(a.id).localeCompare(String(b.id)))
  expect(answers.map(({ id, error }) => [id, error?.code, error?.message])).toEqual([
    [1, undefined, undefined],
    [2, -32600, 'a key stands twice in one object'],
    [5, -32600, 'the body is nested too deeply'],
    [6, undefined, undefined],
    ['three', -32600, 'a key is called __proto__'],
  ])
  expect(logged.match(/a message was refused/g)).toHaveLength(4)
})

test('a message that is too long is refused, and the next one is answered', async () => {
  const child = startProgram(['mcp', ...ways, repository.path], { env })
  let printed = ''
  child.stdout?.on('data', chunk => {
    printed += chunk
  })
  child.stdin?.write(hello)
  child.stdin?.write(message(2, 'tools/call', { name: 'x'.repeat(2 * defaultLimits.bodyBytes) }))
  child.stdin?.write(message(3, 'tools/list'))
  while (printed.split('\n').length < 4) await once(child.stdout ?? child, 'data')
  child.stdin?.end()
  expect(await once(child, 'close')).toEqual([0, null])
  const answers = printed.trim().split('\n')
  const ids = answers.map(line => JSON.parse(line)).map(({ id, error }) => [id, error?.code])
  expect(ids.toSorted()).toEqual([
    [1, undefined],
    [2, -32600],
    [3, undefined],
  ])
})

test('what a process left half done is finished without being asked', async () => {
  const opened = await runProgram(['open', 'left', '--files', 'none', '--json', ...ways], {
    env,
    cwd: repository.path,
  })
  const gitDir = join(repository.path, '.git/worktrees/left')
  const mark = join(gitDir, 'editlatch/unfinished')
  await writeFile(mark, '')
  const child = startProgram(['mcp', ...ways, repository.path], { env })
  while (existsSync(mark)) await new Promise(resolve => setTimeout(resolve, 20))
  child.stdin?.end()
  expect([opened.code, await once(child, 'close')]).toEqual([0, [0, null]])
})

test('a signal ends it', async () => {
  const child = startProgram(['mcp', ...ways, repository.path], { env })
  child.stdin?.write(hello)
  await once(child.stdout ?? child, 'data')
  child.kill('SIGTERM')
  expect(await once(child, 'close')).toEqual([0, null])
})

test('where there is no repository it says so on standard error alone', async () => {
  const ran = await runProgram(['mcp', ...ways, state], { env, cwd: state, input: '' })
  expect([ran.code, ran.stdout, ran.stderr.includes('NOT_FOUND')]).toEqual([3, '', true])
})
