// Starts the built gateway on one repository and speaks HTTP to it.
import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { request } from 'node:http'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/**
 * @typedef {object} Answer
 * @property {number} status
 * @property {any} body
 */

/**
 * @typedef {object} Server
 * @property {(path: string, body: unknown) => Promise<Answer>} post
 * @property {(path: string) => Promise<Answer>} get
 * @property {string} url
 * @property {(token: string) => Pick<Server, 'get' | 'post'>} as with the token of one worktree
 * @property {() => Promise<void>} stop
 * @property {(whom: 'process' | 'group') => Promise<void>} kill at once, the process alone or with all that it started
 */

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url))

/** Whatever a commit holds must not fail on a bound. */
const limits = {
  batchOps: 1_000_000,
  searchedChars: 1_000_000_000,
  findChars: 1_000_000_000,
  replaceChars: 1_000_000_000,
  writeBytes: 1_000_000_000,
  fileBytes: 1_000_000_000,
  bodyBytes: 1_000_000_000,
}

/**
 * Starts it and waits until it is ready. Its state lies in the given folder, its log in `log`.
 * @param {string} repository
 * @param {{ readonly state: string, readonly log: string, readonly durability: string, readonly flags?: readonly string[] }} options
 * @returns {Promise<Server>}
 */
export async function startServer(repository, { state, log, durability, flags: more = [] }) {
  const raised = Object.entries(limits).flatMap(([name, value]) => ['--limit', `${name}=${value}`])
  const flags = [
    '--json',
    '--allow-protected',
    '**',
    '--durability',
    durability,
    ...raised,
    ...more,
  ]
  const logFile = openSync(log, 'a')
  const child = spawn(process.execPath, [main, 'serve', repository, ...flags], {
    env: { PATH: process.env.PATH ?? '', HOME: state, XDG_STATE_HOME: state },
    stdio: ['ignore', 'pipe', logFile],
    detached: true,
  })
  closeSync(logFile)
  /** @type {Promise<void>} */
  const ended = new Promise(resolve => child.once('exit', () => resolve()))
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  const kill = async (/** @type {'process' | 'group'} */ whom) => {
    process.kill(whom === 'group' ? -(child.pid ?? 0) : (child.pid ?? 0), 'SIGKILL')
    await ended
  }
  try {
    const { url, token } = await readReady(child)
    const as = (/** @type {string} */ bearer) => ({
      post: (/** @type {string} */ path, /** @type {unknown} */ body) =>
        send('POST', new URL(path, url), bearer, body),
      get: (/** @type {string} */ path) => send('GET', new URL(path, url), bearer, undefined),
    })
    return { ...as(token), as, url, stop, kill }
  } catch (error) {
    await stop()
    throw error
  }
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<{ url: string, token: string }>}
 */
async function readReady({ stdout }) {
  if (stdout !== null) for await (const line of createInterface(stdout)) return JSON.parse(line)
  throw new Error('the server ended before it was ready')
}

/**
 * Each request on a connection of its own: the pauses between two are as long as a connection may idle. Status 0 where
 * the server hung up.
 * @param {string} method
 * @param {URL} url
 * @param {string} token
 * @param {unknown} body
 * @returns {Promise<Answer>}
 */
function send(method, url, token, body) {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body !== undefined && { 'content-type': 'application/json' }),
  }
  return new Promise(resolve => {
    const failed = (/** @type {Error} */ { message }) =>
      resolve({ status: 0, body: { code: message } })
    const sent = request(url, { method, headers, agent: false }, response => {
      /** @type {Buffer[]} */
      const chunks = []
      response.on('data', chunk => chunks.push(chunk))
      response.on('error', failed)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8')
        resolve({
          status: response.statusCode ?? 0,
          body: text === '' ? undefined : JSON.parse(text),
        })
      })
    })
    sent.on('error', failed)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}
