// `npm run package`: what somebody does who has just heard of it. The package is packed and installed into empty folders,
// with and without its optional part, and run by npx: its version, nothing, a server where there is no repository, a server
// and an MCP client over the demo repository. Prints each step; npm's registry is asked for the packages that it needs.
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { buildDemoRepository } from '../fixtures-repos/demo.mjs'
import { pack } from './package/pack.mjs'
import { root } from './setup.mjs'
import { check, checksMade, run, step } from './steps.mjs'

const place = mkdtempSync(join(tmpdir(), 'editlatch-package-'))
const env = { ...process.env, HOME: join(place, 'home'), XDG_STATE_HOME: join(place, 'state') }
const repository = join(place, 'demo')
buildDemoRepository(repository)

try {
  const packed = pack(place)
  console.log(`${packed.files.length} files, ${packed.size} bytes, unpacked ${packed.unpackedSize}`)
  await tryInstalled('without the optional package', ['--omit=optional'], 'git grep -P')
  await tryInstalled('with it', [], 'ripgrep')
  console.log(`${checksMade()} checks`)

  /**
   * @param {string} name
   * @param {readonly string[]} ways
   * @param {string} engine what patterns are searched by
   */
  async function tryInstalled(name, ways, engine) {
    const folder = join(place, name.replaceAll(' ', '-'))
    mkdirSync(folder)
    await step(`installed ${name}`, () => {
      const quiet = ['--no-audit', '--no-fund', '--loglevel', 'error']
      run('npm', ['install', ...ways, ...quiet, packed.tarball], { cwd: folder })
      return `${Math.round(bytesBelow(join(folder, 'node_modules')) / 1e6)} MB`
    })
    await step('the version', () => tryVersion(folder))
    await step('without a word', () => tryNothing(folder))
    await step('where there is no repository', () => tryNowhere(folder))
    await step('serve', () => tryServe(folder, engine))
    await step('mcp', () => tryMcp(folder))
  }
} finally {
  rmSync(place, { recursive: true, force: true })
}

/**
 * Starts it by npx, as in a shell.
 * @param {string} cwd
 * @param {readonly string[]} args
 */
function npx(cwd, ...args) {
  const { status, stdout, stderr } = spawnSync('npx', ['--no-install', 'editlatch', ...args], {
    cwd,
    env,
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

/** @param {string} folder */
function tryVersion(folder) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const { stdout } = npx(folder, '--version')
  check(stdout.trim() === version, 'another version', stdout)
  return version
}

/** @param {string} folder */
function tryNothing(folder) {
  const { status, stderr } = npx(folder)
  check(status === 2, 'it is no wrong use', status)
  check(
    /First steps:\n +editlatch serve +in a git repository/.test(stderr),
    'it does not say how to begin',
    stderr,
  )
}

/** @param {string} folder */
function tryNowhere(folder) {
  for (const command of ['serve', 'mcp']) {
    const { status, stderr } = npx(folder, command)
    check(status === 3, `${command} ended with ${status}`, stderr)
    check(stderr.includes('git init'), `${command} does not say what to do`, stderr)
  }
}

/**
 * @param {string} folder
 * @param {string} engine
 */
async function tryServe(folder, engine) {
  const { child, lines, ended } = start(folder, ['serve', '--json', repository])
  const { url, token } = JSON.parse((await lines.next()).value ?? '{}')
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ agent: engine === 'ripgrep' ? 'alice' : 'bob' })
  const opened = await fetch(`${url}/v1/worktrees`, { method: 'POST', headers, body })
  check(opened.status === 201, 'no worktree was opened', opened.status)
  const { id } = JSON.parse(await opened.text())
  const query = new URLSearchParams({ mode: 'regex', pattern: 'gr[e]{2}t' })
  const found = await fetch(`${url}/v1/worktrees/${id}/search?${query}`, { headers })
  const answer = JSON.parse(await found.text())
  check(answer.engine === engine, 'another engine searches', answer)
  // As Ctrl-C does, which everything in the terminal's group is told.
  process.kill(-(child.pid ?? 0), 'SIGINT')
  const code = await ended
  // npx tells its own end by the signal where it is asked to stop while its program still runs.
  check(code === 0 || code === null || code === 130, 'it ended otherwise', code)
  return engine
}

/** @param {string} folder */
async function tryMcp(folder) {
  const { child, lines, ended } = start(folder, ['mcp', repository])
  const clientInfo = { name: 'package', version: '1' }
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`)
  const { result } = JSON.parse((await lines.next()).value ?? '{}')
  check(result?.serverInfo?.name === 'editlatch', 'initialize was not answered', result)
  child.stdin.end()
  const code = await ended
  check(code === 0, 'it does not end with its client', code)
  return `${result.serverInfo.name} ${result.serverInfo.version}`
}

/**
 * @param {string} cwd
 * @param {readonly string[]} args
 */
function start(cwd, args) {
  const child = spawn('npx', ['--no-install', 'editlatch', ...args], {
    cwd,
    env,
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const ended = new Promise(resolve => child.on('close', resolve))
  return { child, ended, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() }
}

/** @param {string} folder */
function bytesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
}
