// Two ways to run an image where no container engine is. buildah's chroot is close to how the image was built; a place of
// our own with namespaces for mounts and processes has a root that cannot be written to and no capabilities, and tini is
// its first process, as in an engine.
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { start } from '../steps.mjs'

/**
 * @typedef {object} Container
 * @property {() => string} printed
 * @property {Promise<number>} ended the exit code
 * @property {(command: readonly string[]) => Promise<number>} exec runs a command beside the server; its exit code
 * @property {() => void} stop sends SIGTERM to tini
 */

/**
 * @typedef {object} Setting
 * @property {import('./engine.mjs').Engine} engine
 * @property {string} container its name in the engine's store
 * @property {import('./engine.mjs').ImageConfig} config
 * @property {number} uid user and group
 * @property {readonly (readonly [host: string, inside: string])[]} mounts
 */

/**
 * By `buildah run`, with the image's own entry and command.
 * @param {Setting} setting
 * @returns {Container}
 */
export function runByBuildah({ engine, container, config, uid, mounts }) {
  const volumes = mounts.flatMap(([host, inside]) => ['--volume', `${host}:${inside}`])
  const ways = ['run', '--network', 'host', '--user', `${uid}:${uid}`, ...volumes, container, '--']
  const server = engine.start([...ways, ...config.Entrypoint, ...config.Cmd])
  return {
    ...server,
    exec: command => engine.start([...ways, ...command]).ended,
    stop: () => signalTini(server.pid),
  }
}

/**
 * By `unshare` and `chroot`: a read-only root with a tmpfs at /tmp, no capabilities, no new privileges.
 * @param {Setting} setting
 * @returns {Container}
 */
export function runReadOnly({ engine, container, config, uid, mounts }) {
  const root = engine.buildah('mount', container)
  for (const [, inside] of mounts) mkdirSync(join(root, inside), { recursive: true })
  const spaces = ['--mount', '--pid', '--fork', '--kill-child', '--propagation', 'private']
  const user = ['--reuid', `${uid}`, '--regid', `${uid}`, '--clear-groups']
  const powers = ['--no-new-privs', '--bounding-set=-all', '--inh-caps=-all']
  const inside = ['/usr/bin/setpriv', ...user, ...powers, '/usr/bin/env', '-i', ...config.Env]
  const shell = ['sh', '-c', prepareRoot, 'sh', root, `${mounts.length}`, ...mounts.flat()]
  const command = [...config.Entrypoint, ...config.Cmd]
  const server = start('unshare', [...spaces, ...shell, 'chroot', root, ...inside, ...command])
  return {
    ...server,
    exec: others => {
      const spacesOf = ['--target', `${tiniBelow(server.pid)}`, '--mount', '--pid', '--root']
      return start('nsenter', [...spacesOf, '--', ...inside, ...others]).ended
    },
    stop: () => signalTini(server.pid),
  }
}

/** What follows the mounts is the command that runs there. */
const prepareRoot = `set -e
root=$1 count=$2; shift 2
mount --bind "$root" "$root"
while [ "$count" -gt 0 ]; do
  mount --bind "$1" "$root$2"; shift 2; count=$((count - 1))
done
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs tmpfs "$root/tmp"
mount -o remount,ro,bind "$root"
exec "$@"`

/** @param {number} pid */
function signalTini(pid) {
  process.kill(tiniBelow(pid), 'SIGTERM')
}

/**
 * The process id of the tini that a program has started, itself or by others.
 * @param {number} pid
 */
function tiniBelow(pid) {
  const parents = readParents()
  const tini = [...parents.keys()].find(one => nameOf(one) === 'tini' && isBelow(one, pid, parents))
  if (tini === undefined) throw new Error('tini does not run')
  return tini
}

/**
 * @param {number} one
 * @param {number} above
 * @param {ReadonlyMap<number, number>} parents
 */
function isBelow(one, above, parents) {
  for (let pid = one; pid > 1; pid = parents.get(pid) ?? 0) if (pid === above) return true
  return false
}

function readParents() {
  const pids = readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number)
  return new Map(pids.map(pid => [pid, Number(statOf(pid)[1] ?? 0)]))
}

/**
 * State, parent and so on, as the kernel tells them behind the name.
 * @param {number} pid
 */
function statOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? []
  } catch {
    return []
  }
}

/** @param {number} pid */
function nameOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
  } catch {
    return ''
  }
}
