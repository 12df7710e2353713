import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, expect, test } from 'vitest'
import { makeRepository } from '../../support/repository.js'
import { main, runProgram, type Served, serve } from '../cli/run.js'
import { connectHttp, remember, type TestClient } from './client.js'

const files = { 'src/greet.ts': "export const hello = 'Hello'\n", 'a.txt': 'one\ntwo\n' }
const repository = await makeRepository(files)
const state = await mkdtemp(join(tmpdir(), 'state-'))
const env = { XDG_STATE_HOME: state }
const ways = ['--durability', 'process', '--worktrees', join(state, 'worktrees')]
const served = await serve(['--worktrees', join(state, 'worktrees'), repository.path], { env })
afterAll(() => served.stop())

/** One face, as far as the job needs it. */
interface Face {
  open(agent: string): Promise<void>
  rev(path: string): Promise<string>
  edit(edits: readonly object[], message: string): Promise<string>
  draft(text: string, afterLines: number): Promise<void>
  land(path: string): Promise<void>
  revert(commit: string): Promise<void>
}

const greeting = Array.from({ length: 30 }, (_, at) => `line ${at}\n`)

/** Two edits, a long text in two pieces, a mistake and its undoing. */
async function doJob(face: Face, agent: string): Promise<void> {
  await face.open(agent)
  const [greet, a] = [await face.rev('src/greet.ts'), await face.rev('a.txt')]
  await face.edit(
    [
      {
        op: 'replace_text',
        path: 'src/greet.ts',
        expected_rev: greet,
        find: 'Hello',
        replace: 'Good day',
      },
      { op: 'insert_lines', path: 'a.txt', expected_rev: a, line: 2, text: 'between\n' },
    ],
    'Say good day',
  )
  await face.draft(greeting.slice(0, 10).join(''), 0)
  await face.draft(greeting.slice(10).join(''), 10)
  await face.land('docs/long.md')
  const mistake = await face.edit(
    [{ op: 'delete_file', path: 'a.txt', expected_rev: await face.rev('a.txt') }],
    'A mistake',
  )
  await face.revert(mistake)
}

test.each([
  ['http', httpFace(served)],
  ['cli', cliFace()],
  ['mcp-stdio', () => mcpFace(stdioClient())],
  ['mcp-http', () => mcpFace(connectHttp(served.url, served.token))],
] as const)(
  '%s does the job',
  async (agent, face) => {
    await doJob(await face(), agent)
    expect(await repository.git('log', '--format=%s', `main..agent/${agent}`)).toBe(
      ['Revert "A mistake"', 'A mistake', 'Land the draft', 'Say good day'].join('\n'),
    )
  },
  60_000,
)

test('all faces come to the same tree', async () => {
  const agents = ['http', 'cli', 'mcp-stdio', 'mcp-http']
  const trees = await Promise.all(
    agents.map(agent => repository.git('rev-parse', `agent/${agent}^{tree}`)),
  )
  console.info(`${new Set(trees).size} tree of ${trees.length} faces`)
  expect(new Set(trees).size).toBe(1)
  expect(await repository.git('show', 'agent/cli:docs/long.md')).toBe(greeting.join('').trim())
})

function httpFace({ url, token }: Served): () => Promise<Face> {
  const ask = async (
    method: string,
    path: string,
    json?: object,
  ): Promise<ReturnType<typeof JSON.parse>> => {
    const answer = await fetch(`${url}/v1/worktrees${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(json && { 'content-type': 'application/json' }),
      },
      ...(json && { body: JSON.stringify(json) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(text)
    return JSON.parse(text)
  }
  return async () => ({
    open: async agent => ask('POST', '', { agent }),
    rev: async path => (await ask('GET', `/http/file?path=${encodeURIComponent(path)}`)).rev,
    edit: async (edits, message) => (await ask('POST', '/http/batches', { edits, message })).commit,
    draft: async (text, after) =>
      ask('POST', '/http/drafts', { draft: 'long', after_lines: after, text }),
    land: async path =>
      ask('POST', '/http/drafts/long/commit', {
        path,
        expected_rev: 'new',
        op: 'write_file',
        message: 'Land the draft',
      }),
    revert: async commit => ask('POST', `/http/batches/${commit}/revert`, {}),
  })
}

function cliFace(): () => Promise<Face> {
  const run = async (
    args: readonly string[],
    input = '',
  ): Promise<ReturnType<typeof JSON.parse>> => {
    const { code, stdout, stderr } = await runProgram([...args, '--json', ...ways], {
      cwd: repository.path,
      env,
      input,
    })
    if (code !== 0) throw new Error(stderr)
    return JSON.parse(stdout)
  }
  const at = ['--worktree', 'cli']
  return async () => ({
    open: async agent => run(['open', agent]),
    rev: async path => (await run(['read', path, ...at])).rev,
    edit: async (edits, message) =>
      (await run(['edit', ...at], JSON.stringify({ edits, message }))).commit,
    draft: async (text, after) => {
      const file = join(state, 'piece')
      await writeFile(file, text)
      await run([
        'draft-write',
        ...at,
        '--draft',
        'long',
        '--after-lines',
        String(after),
        '--file',
        file,
      ])
    },
    land: async path =>
      run([
        'draft-commit',
        'long',
        ...at,
        '--path',
        path,
        '--expected-rev',
        'new',
        '--op',
        'write_file',
        '--message',
        'Land the draft',
      ]),
    revert: async commit => run(['revert', commit, ...at]),
  })
}

async function mcpFace(connecting: Promise<TestClient>): Promise<Face> {
  const { call } = await connecting
  let worktree = ''
  const ask = async (name: string, args: object): Promise<ReturnType<typeof JSON.parse>> => {
    const { text, data, isError } = await call(name, { ...(worktree && { worktree }), ...args })
    if (isError) throw new Error(text)
    return data
  }
  return {
    open: async agent => {
      const { id } = await ask('open_worktree', { agent })
      worktree = id
    },
    rev: async path => (await ask('read_file', { path })).rev,
    edit: async (edits, message) => (await ask('edit_files', { edits, message })).commit,
    draft: async (text, after) => ask('draft_write', { draft: 'long', after_lines: after, text }),
    land: async path =>
      ask('draft_commit', {
        draft: 'long',
        path,
        expected_rev: 'new',
        op: 'write_file',
        message: 'Land the draft',
      }),
    revert: async commit => ask('revert_batch', { commit }),
  }
}

/** A client of the built program, started as agents start it: in the project, without a word about repositories. */
async function stdioClient(): Promise<TestClient> {
  const client = new Client({ name: 'Test Client', version: '1' })
  const everything = { ...process.env, ...env, CLAUDE_PROJECT_DIR: repository.path }
  const args = [main, 'mcp', ...ways]
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args,
      env: strings(everything),
      cwd: tmpdir(),
    }),
  )
  return remember(client)
}

function strings(variables: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  )
}
