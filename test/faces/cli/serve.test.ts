import { execFile, execFileSync } from 'node:child_process'
import { chmod, mkdtemp, readFile, stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { makeRepository } from '../../support/repository.js'
import { runProgram, type Served, serve, startProgram } from './run.js'

const repository = await makeRepository({ 'src/greet.ts': "export const hi = 'hi'\n" })
const state = await mkdtemp(join(tmpdir(), 'serve-'))
const options = { cwd: repository.path, env: { XDG_STATE_HOME: state } }

const post = (served: Served, path: string, body: object, token = served.token) =>
  fetch(served.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

async function bodyOf(response: Response): Promise<ReturnType<typeof JSON.parse>> {
  return JSON.parse(await response.text())
}

const execute = promisify(execFile)

const edits = [{ op: 'write_file', path: 'new.txt', expected_rev: null, text: 'x\n' }]

/** The processes that a process has started and that still run. */
function childrenOf(pid: number): string {
  try {
    return execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' }).trim()
  } catch {
    return ''
  }
}

describe('a server', () => {
  test('starts, works, keeps its token to itself, and stops without a trace', async () => {
    const served = await serve([], options)
    expect(new URL(served.url).hostname).toBe('127.0.0.1')
    const opened = await bodyOf(await post(served, '/v1/worktrees', { agent: 'dora' }))
    const edited = await post(served, '/v1/worktrees/dora/batches', { edits }, opened.token)
    expect(edited.status).toBe(201)
    const children = childrenOf(served.pid).split(/\s+/).filter(Boolean)
    expect(await served.stop()).toBe(0)
    const alive = children.filter(pid => isAlive(Number(pid)))
    expect([children.length > 0, alive]).toEqual([true, []])
    const later = served.printed().split('\n').slice(1).join('\n')
    const leaked = [served.token, opened.token].filter(token => later.includes(token))
    expect(leaked).toEqual([])
  })

  test('SEC-2: its token is kept in a file of mode 0600, and kept for the next start', async () => {
    const path = join(state, 'editlatch', 'token')
    const token = (await readFile(path, 'utf8')).trim()
    const served = await serve([], options)
    expect([served.token, (await stat(path)).mode & 0o777]).toEqual([token, 0o600])
    await served.stop()
  })

  test('SEC-2: it does not start with a token that others can read', async () => {
    const other = await mkdtemp(join(tmpdir(), 'serve-'))
    const env = { XDG_STATE_HOME: other }
    await runProgram(['repos'], { cwd: repository.path, env })
    await chmod(join(other, 'editlatch', 'token'), 0o644)
    const ran = await runProgram(['serve', '--json'], { cwd: repository.path, env })
    expect([ran.code, JSON.parse(ran.stderr).code]).toEqual([3, 'UNSAFE_TOKEN_FILE'])
  })

  test('stops while a client holds a connection and half a request', async () => {
    const served = await serve([], options)
    const socket = connect(Number(new URL(served.url).port), '127.0.0.1')
    socket.on('error', () => undefined)
    await new Promise(resolve => socket.once('connect', resolve))
    socket.write('GET /healthz HTTP/1.1\r\nHost: ')
    expect(await served.stop()).toBe(0)
    socket.destroy()
  })

  test('a batch in flight when it is told to stop is answered or not done at all', async () => {
    const served = await serve([], options)
    const opened = await bodyOf(await post(served, '/v1/worktrees', { agent: 'bob' }))
    const answers = ['a', 'b', 'c', 'd'].map(path =>
      post(served, '/v1/worktrees/bob/batches', { edits: [{ ...edits[0], path }] }, opened.token)
        .then(bodyOf)
        .then((receipt): string => receipt.commit)
        .catch(() => undefined),
    )
    await Promise.race(answers)
    expect(await served.stop()).toBe(0)
    const acknowledged = (await Promise.all(answers)).filter(commit => commit !== undefined)
    const log = await repository.git('rev-list', 'agent/bob')
    expect(acknowledged.filter(commit => !log.includes(commit))).toEqual([])
  })

  test('prints where it is, and lines that work when they are tried', async () => {
    const child = startProgram(['serve'], options)
    const text = await new Promise<string>(resolve =>
      child.stdout?.once('data', chunk => resolve(String(chunk))),
    )
    const lines = text.split('\n').filter(line => line.startsWith('  curl '))
    const answers: string[] = []
    for (const line of lines) answers.push((await execute('sh', ['-c', line])).stdout)
    const [opened, read, edited] = answers.map(answer => JSON.parse(answer))
    expect([opened?.agent, read?.path, edited?.files?.[0]?.path]).toEqual([
      'alice',
      'src/greet.ts',
      'src/greet.ts',
    ])
    child.kill('SIGINT')
    expect(await new Promise(resolve => child.on('close', resolve))).toBe(0)
  })
})

describe('the program as a client', () => {
  test('answers the same as in process', async () => {
    const served = await serve([], options)
    const asked = (args: readonly string[], input?: string) =>
      runProgram([...args, '--json', '--server', served.url], {
        ...options,
        env: { ...options.env, EDITLATCH_TOKEN: served.token },
        input: input ?? '',
      })
    const opened = await asked(['open', 'carol'])
    expect([opened.code, JSON.parse(opened.stdout).agent]).toEqual([0, 'carol'])
    const edited = await asked(['edit', '--worktree', 'carol'], JSON.stringify({ edits }))
    expect([edited.code, JSON.parse(edited.stdout).files[0].path]).toEqual([0, 'new.txt'])
    const written = await asked(['write', 'w', '--worktree', 'carol', '--must-not-exist'], 'w')
    expect(written.code).toBe(0)
    const again = await asked(['write', 'w', '--worktree', 'carol', '--must-not-exist'], 'w2')
    expect([again.code, JSON.parse(again.stderr).code]).toEqual([3, 'PATH_EXISTS'])
    const read = await asked(['read', 'w', '--worktree', 'carol'])
    const { rev } = JSON.parse(read.stdout)
    const known = await asked(['read', 'w', '--worktree', 'carol', '--known-rev', rev])
    expect(known.stdout).toBe('{"unchanged":true}\n')
    const raw = await asked(['read', 'w', '--worktree', 'carol', '--raw'])
    expect(raw.stdout).toBe('w')
    const marked = await asked(['diff', '--worktree', 'carol', '--mark'])
    expect(JSON.parse(marked.stdout).files).toHaveLength(2)
    const diff = await asked(['diff', '--worktree', 'carol'])
    expect(JSON.parse(diff.stdout).files).toHaveLength(0)
    await served.stop()
  })

  test('finds the token of a server of the same user by itself', async () => {
    const served = await serve([], options)
    const ran = await runProgram(['repos', '--server', served.url], options)
    expect(ran.code).toBe(0)
    await served.stop()
  })

  test('a server that is not there is a failure', async () => {
    const ran = await runProgram(['repos', '--server', 'http://127.0.0.1:9'], options)
    expect(ran.code).toBe(1)
  })
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
