import { readFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { runProgram as runHere } from '#src/faces/cli/program.js'
import type { GatewayOptions } from '#src/gateway/gateway.js'
import { makeRepository } from '../../support/repository.js'
import { type Ran, runProgram } from './run.js'

const repository = await makeRepository({ '.gitignore': '.env\nran\n', 'a.txt': 'a\n' })
await repository.write('.env', 'A=1')
const state = await mkdtemp(join(tmpdir(), 'prepare-'))

function run(...args: readonly string[]): Promise<Ran> {
  return runProgram([...args, '--durability', 'process'], {
    cwd: repository.path,
    env: { XDG_STATE_HOME: state },
  })
}

describe('a worktree that is opened from a command line', () => {
  test('is set up when the program ends', async () => {
    const flags = ['--include', '.env', '--include', 'gone', '--setup', 'cp .env ran']
    const { code, stdout } = await run('open', 'alice', ...flags)
    expect(code).toBe(0)
    expect(stdout).toContain('included 1 files, 0 links, 3 bytes\nleft out gone (no_match)\n')
    expect(stdout).toMatch(/^setup {4}(?:waiting|running|done): cp \.env ran$/m)
    const path = /^path +(.+)$/m.exec(stdout)?.[1] ?? ''
    expect(readFileSync(join(path, 'ran'), 'utf8')).toBe('A=1')
    expect((await run('state', 'alice')).stdout).toContain('setup    done: cp .env ran\n')
  })

  test('is there although that fails', async () => {
    const setup = JSON.stringify(['sh', '-c', 'echo "no luck"; exit 4'])
    expect((await run('open', 'bob', '--setup', setup)).code).toBe(0)
    const told = 'setup    failed, exit code 4: sh -c echo "no luck"; exit 4\n  no luck\n'
    expect((await run('state', 'bob')).stdout).toContain(told)
  })
})

test.each([
  ['nothing', ''],
  ['what a shell would read', 'npm ci && npm run build'],
  ['quotes', "echo 'a b'"],
  ['no list', '{"a": 1}'],
  ['no texts', '["npm", 1]'],
  ['no program', '[]'],
])('a command of %s is no command', async (_, setup) => {
  const { code, stderr } = await understood('--setup', setup)
  expect([code, stderr]).toEqual([2, expect.stringContaining('JSON array')])
})

test.each([
  ['words', 'npm ci', ['npm', 'ci']],
  ['more space', ' npm  run build:all ', ['npm', 'run', 'build:all']],
  ['a list', '["sh", "-c", "a && b"]', ['sh', '-c', 'a && b']],
])('a command of %s is one', async (_, text, setup) => {
  expect((await understood('--setup', text)).options).toMatchObject({ setup })
})

test('patterns are gathered, and none is the default', async () => {
  const flags = ['--include', 'a', '--include', 'b/*']
  expect((await understood(...flags)).options).toMatchObject({ include: ['a', 'b/*'] })
  expect((await understood()).options).toMatchObject({ include: [] })
})

test('a pattern that nothing could fit is refused', async () => {
  const { code, stderr } = await run('open', 'carol', '--include', '../secret')
  expect([code, stderr]).toEqual([3, expect.stringContaining('INVALID_ARGUMENTS')])
})

/** What the program makes of a command line, up to the gateway that it would open. */
async function understood(
  ...flags: readonly string[]
): Promise<{ readonly code: number; readonly stderr: string; readonly options: object }> {
  let options = {}
  const written: (string | Uint8Array)[] = []
  const output = { write: (text: string | Uint8Array): unknown => written.push(text) }
  const terminal = {
    args: ['open', 'carol', ...flags],
    env: {},
    cwd: repository.path,
    platform: 'linux',
    stdin: Readable.from([]),
    stdout: output,
    stderr: output,
    stopped: new AbortController().signal,
  }
  const notHere = (): never => {
    throw new Error('nothing is opened')
  }
  const doors = {
    openGateway: (wanted: GatewayOptions): never => {
      options = wanted
      return notHere()
    },
    readToken: async () => 'a token',
    readSettings: () => undefined,
    clientFiles: notHere,
    openRefusalRecorder: notHere,
    createHttpFace: notHere,
    serveMcpStdio: notHere,
  }
  const code = await runHere(terminal, doors, '1.0.0')
  return { code, stderr: written.join(''), options }
}
