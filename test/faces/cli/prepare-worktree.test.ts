import { readFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
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
  const { code, stderr } = await run('open', 'carol', '--setup', setup)
  expect([code, stderr]).toEqual([2, expect.stringContaining('JSON array')])
})

test('a pattern that nothing could fit is refused', async () => {
  const { code, stderr } = await run('open', 'carol', '--include', '../secret')
  expect([code, stderr]).toEqual([3, expect.stringContaining('INVALID_ARGUMENTS')])
})
