import { existsSync, readFileSync } from 'node:fs'
import { execPath } from 'node:process'
import { expect, test } from 'vitest'
import { type SpawnRequest, spawnBounded } from '#src/io/git/spawn-bounded.js'

const text = (bytes: Uint8Array): string => new TextDecoder('latin1').decode(bytes)

function shell(script: string, more: Partial<SpawnRequest> = {}): SpawnRequest {
  return {
    command: 'sh',
    args: ['-c', script],
    env: { PATH: process.env.PATH ?? '' },
    cwd: '/',
    timeoutMs: 20_000,
    outputBytes: 1_000_000,
    ...more,
  }
}

test.each([
  ['what it prints and its code', 'echo out; echo err >&2; exit 3', 3, 'out\n', 'err\n'],
  ['nothing', 'true', 0, '', ''],
  ['its working directory', 'pwd', 0, '/\n', ''],
  ['only the variables it was given', 'env | grep -c EDITLATCH', 1, '0\n', ''],
])('a command answers %s', async (_, script, exitCode, stdout, stderr) => {
  const answer = await spawnBounded(shell(script))
  expect({ ...answer, stdout: text(answer.stdout) }).toEqual({ exitCode, stdout, stderr })
})

test('bytes go in and come out as they are', async () => {
  const input = Uint8Array.from({ length: 300_000 }, (_, index) => index % 256)
  const { stdout } = await spawnBounded(shell('cat', { input }))
  expect(Buffer.from(stdout).equals(Buffer.from(input))).toBe(true)
})

test('a command that does not read its input ends well', async () => {
  const input = new Uint8Array(1_000_000)
  expect((await spawnBounded(shell('exit 0', { input }))).exitCode).toBe(0)
})

test('too late: it is asked to end', async () => {
  const script = 'trap "echo bye; exit 7" TERM; sleep 20 & wait'
  const { exitCode, stdout, problem } = await spawnBounded(shell(script, { timeoutMs: 200 }))
  expect({ exitCode, stdout: text(stdout), problem }).toEqual({
    exitCode: 7,
    stdout: 'bye\n',
    problem: 'timeout',
  })
})

test('deaf to that, it is ended', async () => {
  const script = 'process.on("SIGTERM", () => {}); console.log("on"); setInterval(() => {}, 1000)'
  const { exitCode, problem } = await spawnBounded({
    ...shell('', { timeoutMs: 500 }),
    command: execPath,
    args: ['-e', script],
  })
  expect({ exitCode, problem }).toEqual({ exitCode: null, problem: 'timeout' })
})

test('what it has started ends with it', async () => {
  const script = 'sleep 20 & echo $!; wait'
  const { stdout, problem } = await spawnBounded(shell(script, { timeoutMs: 300 }))
  expect(problem).toBe('timeout')
  const stat = `/proc/${text(stdout).trim()}/stat`
  const state = existsSync(stat) ? readFileSync(stat, 'latin1').split(') ')[1]?.[0] : 'gone'
  // Nobody may have collected it yet.
  expect(['gone', 'Z']).toContain(state)
})

test('too much output: it is ended, and no more than the bound is kept', async () => {
  const { stdout, problem } = await spawnBounded(shell('yes', { outputBytes: 100_000 }))
  expect(problem).toBe('output')
  expect(stdout.length).toBeLessThanOrEqual(100_000)
})

test('what is not there is not started', async () => {
  const { exitCode, problem } = await spawnBounded({ ...shell(''), command: '/nowhere/git' })
  expect({ exitCode, problem }).toEqual({ exitCode: null, problem: 'not_started' })
})

test('a directory that is not there is told too', async () => {
  expect((await spawnBounded(shell('pwd', { cwd: '/nowhere' }))).problem).toBe('not_started')
})
