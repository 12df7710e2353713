// The README's example over HTTP, and the list of tools over MCP, against a server that runs.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { root } from '../setup.mjs'
import { check } from '../steps.mjs'

const edited = 'src/greet.ts'

/**
 * Waits until the server answers, for a minute at most.
 * @param {string} url
 */
export async function untilReady(url) {
  const end = performance.now() + 60_000
  for (;;) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined)
    if (answer?.ok) return
    if (performance.now() > end) throw new Error(`${url} does not answer`)
    await sleep(50)
  }
}

/**
 * Opens a worktree, reads a file, edits it with the revision that was read, asks for the diff. Answers the commit.
 * @param {string} url
 * @param {string} token
 * @param {string} repo
 */
export async function driveExample(url, token, repo) {
  const ask = asker(url, token)
  const opened = await ask('POST', '/v1/worktrees', 201, { agent: 'alice' })
  check(opened.id === `${repo}~alice`, 'the worktree has another id', opened.id)
  check(opened.path === `/data/worktrees/${repo}/alice`, 'the worktree lies elsewhere', opened.path)
  const worktree = `/v1/worktrees/${opened.id}`
  const file = await ask('GET', `${worktree}/file?path=${edited}`, 200)
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  check(readme.includes(file.rev), 'the README names another revision', file.rev)
  const edit = { op: 'replace_text', path: edited, find: 'Hello, ', replace: 'Good day, ' }
  const late = { edits: [{ ...edit, expected_rev: '0'.repeat(40) }] }
  await ask('POST', `${worktree}/batches`, 409, late)
  const batch = { message: 'Say good day', edits: [{ ...edit, expected_rev: file.rev }] }
  const receipt = await ask('POST', `${worktree}/batches`, 201, batch)
  check(receipt.commit !== receipt.parent, 'nothing was committed', receipt)
  const diff = await ask('GET', `${worktree}/diff`, 200)
  check(JSON.stringify(diff).includes('Good day, '), 'the diff does not show the edit', diff)
  return { commit: String(receipt.commit), ask, worktree }
}

/**
 * Searches by a pattern, and for the symbols of a language that takes a grammar. Answers by which engine.
 * @param {Awaited<ReturnType<typeof driveExample>>} example
 */
export async function driveParts({ ask, worktree }) {
  const python = {
    op: 'write_file',
    path: 'greet.py',
    expected_rev: null,
    text: 'def greet():\n    pass\n',
  }
  await ask('POST', `${worktree}/batches`, 201, { edits: [python] })
  const symbols = await ask('GET', `${worktree}/symbols?path=greet.py`, 200)
  const found = JSON.stringify(symbols)
  check(/tree-sitter/.test(found), 'no grammar read a file of Python', symbols)
  const query = new URLSearchParams({ mode: 'regex', pattern: 'gr[e]{2}t' })
  const search = await ask('GET', `${worktree}/search?${query}`, 200)
  check(search.engine === 'ripgrep', 'ripgrep was not found', search.engine)
}

/**
 * Waits until the command that sets up the worktree has ended, for a minute at most.
 * @param {Awaited<ReturnType<typeof driveExample>>} example
 */
export async function untilSetUp({ ask, worktree }) {
  const end = performance.now() + 60_000
  for (;;) {
    const { setup } = await ask('GET', `${worktree}/state`, 200)
    if (setup?.state === 'done') return
    const isUnderWay = ['waiting', 'running'].includes(setup?.state)
    if (!isUnderWay || performance.now() > end) throw new Error(JSON.stringify(setup))
    await sleep(200)
  }
}

/**
 * How many tools a client of MCP is offered.
 * @param {string} url
 * @param {string} token
 */
export async function listTools(url, token) {
  const client = new Client({ name: 'image', version: '1' })
  const headers = { authorization: `Bearer ${token}` }
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } }),
  )
  const { tools } = await client.listTools()
  await client.close()
  check(
    tools.some(({ name }) => name === 'edit_files'),
    'no tool edits files',
    tools.length,
  )
  return tools.length
}

/**
 * @param {string} url
 * @param {string} token
 */
function asker(url, token) {
  /**
   * @param {string} method
   * @param {string} path
   * @param {number} status the one that is right
   * @param {object} [body]
   */
  return async (method, path, status, body) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await fetch(url + path, { method, headers, ...sent })
    const text = await answer.text()
    check(answer.status === status, `${method} ${path} answered ${answer.status}`, text)
    return JSON.parse(text)
  }
}
