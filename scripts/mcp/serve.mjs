import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const main = join(import.meta.dirname, '../../dist/main.js')

/**
 * Starts the built server over a repository, with its state and worktrees in a directory of its own. Any port may be
 * named in requests, so that a proxy can stand before it.
 * @param {string} repository
 * @param {string} place
 * @returns {Promise<{ readonly url: string, readonly token: string, stop(): Promise<void> }>}
 */
export async function serve(repository, place) {
  const ways = ['--json', '--durability', 'process', '--worktrees', join(place, 'worktrees')]
  const hosts = ['--allow-host', '127.0.0.1', '--allow-host', 'localhost']
  const child = spawn(process.execPath, [main, 'serve', ...ways, ...hosts, repository], {
    env: { ...process.env, XDG_STATE_HOME: join(place, 'state') },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [line] = await once(child.stdout, 'data')
  const { url, token } = JSON.parse(String(line))
  const stop = async () => {
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }
  return { url, token, stop }
}
