import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pid } from 'node:process'
import { afterAll, describe, expect, test } from 'vitest'
import { GitFailed, type GitPlace, gitText, runGit, stopSpawnHelper } from '#src/io/git/run-git.js'
import { refusal } from '../../support/gateway.js'
import { makeRepository } from '../../support/repository.js'

afterAll(stopSpawnHelper)

async function makePlace(): Promise<GitPlace> {
  const { path } = await makeRepository({ 'a.txt': 'a\n', 'nul.bin': new Uint8Array([0, 200, 10]) })
  return { git: 'git', env: { PATH: process.env.PATH ?? '' }, cwd: path, flags: [] }
}

/** A place whose git is a shell, for what git itself does not do on demand. */
const shell: GitPlace = {
  git: 'sh',
  env: { PATH: process.env.PATH ?? '' },
  cwd: '/',
  flags: ['-c'],
}

/** Enough memory that further children are started from the helper. */
const ballast: Uint8Array[] = []

describe.each([
  ['as the process is', 0],
  ['from a large process, through the helper', 200 * 1024 * 1024],
])('%s', (_, bytes) => {
  const grow = (): void => {
    if (bytes > 0 && ballast.length === 0) ballast.push(new Uint8Array(bytes).fill(1))
  }

  test('output, bytes and all', async () => {
    grow()
    const place = await makePlace()
    expect(await gitText(place, ['rev-parse', '--abbrev-ref', 'HEAD'])).toBe('main')
    const { stdout, exitCode } = await runGit(place, ['cat-file', 'blob', 'HEAD:nul.bin'])
    expect({ bytes: [...stdout], exitCode }).toEqual({ bytes: [0, 200, 10], exitCode: 0 })
  })

  test('input and further variables', async () => {
    grow()
    const place = await makePlace()
    const oid = await gitText(place, ['hash-object', '--stdin'], { input: 'hi' })
    expect(oid).toBe('32f95c0d1244a78b2be1bab8de17906fabb2c4a8')
    expect(await gitText(shell, ['echo $EXTRA'], { env: { EXTRA: 'yes' } })).toBe('yes')
  })

  test('a code that is an answer, and one that is not', async () => {
    grow()
    const place = await makePlace()
    const args = ['rev-parse', '--verify', '--quiet', 'nowhere']
    expect((await runGit(place, args, { exitCodes: [1] })).exitCode).toBe(1)
    const failed = await runGit(place, ['cat-file', 'blob', 'nowhere']).catch((e: unknown) => e)
    expect(failed).toBeInstanceOf(GitFailed)
    expect(failed).toMatchObject({ exitCode: 128, stderr: expect.stringContaining('nowhere') })
  })

  test('the first output is told while the rest is still to come', async () => {
    grow()
    const told: string[] = []
    const gate = join((await makePlace()).cwd, 'gate')
    const onPreview = (chunk: Uint8Array): void => {
      told.push(Buffer.from(chunk).toString())
      writeFileSync(gate, '')
    }
    const waiting = 'printf first; while [ ! -e "$GATE" ]; do sleep 0.01; done; printf last'
    const whole = await runGit(shell, [waiting], { env: { GATE: gate }, onPreview })
    expect([whole.stdout.toString(), told[0]]).toEqual(['firstlast', 'first'])
    const many = 'while :; do echo x; done | head -c 100000'
    told.length = 0
    const { stdout } = await runGit(shell, [many], { onPreview })
    expect(stdout.length).toBe(100_000)
    expect(stdout.toString().startsWith(told.join(''))).toBe(true)
    expect(told.join('').length).toBeLessThan(90_000)
  })

  test('too late and too much are refusals', async () => {
    grow()
    expect(await refusal(runGit(shell, ['exec sleep 20'], { timeoutMs: 100 }))).toMatchObject({
      code: 'TIMEOUT',
    })
    expect(await refusal(runGit(shell, ['yes'], { outputBytes: 1_000 }))).toMatchObject({
      code: 'TOO_LARGE',
    })
  })

  test('many at once', async () => {
    grow()
    const numbers = Array.from({ length: 20 }, (_each, n) => String(n))
    expect(await Promise.all(numbers.map(n => gitText(shell, [`echo ${n}`])))).toEqual(numbers)
  })
})

describe('the helper', () => {
  const helperPid = (): number => {
    const listing = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
    const line = listing.split('\n').find(one => {
      const [, parent] = one.trim().split(/\s+/)
      return parent === String(pid) && one.includes('spawn-helper')
    })
    return Number(line?.trim().split(/\s+/)[0])
  }

  test('is not stopped while somebody waits for it', async () => {
    expect(helperPid()).toBeGreaterThan(0)
    const waiting = gitText(shell, ['sleep 0.2; echo done'])
    stopSpawnHelper()
    expect(await waiting).toBe('done')
    expect(await gitText(shell, ['echo again'])).toBe('again')
  })

  test('that was ended by somebody fails what it owes, and is started anew', async () => {
    const waiting = gitText(shell, ['sleep 20']).catch((error: unknown) => error)
    process.kill(helperPid(), 'SIGKILL')
    const next = gitText(shell, ['echo next']).catch((error: unknown) => error)
    expect(await waiting).toBeInstanceOf(GitFailed)
    const answer = await next
    if (answer !== 'next') expect(answer).toBeInstanceOf(GitFailed)
    expect(await gitText(shell, ['echo later'])).toBe('later')
  })
})
