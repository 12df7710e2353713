import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
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
