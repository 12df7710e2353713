// buildah without a daemon and without privileges that a container has not: a store of its own, no registry, chroot instead of
// namespaces, whole copies (vfs) instead of overlays.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../setup.mjs'
import { run, start } from '../steps.mjs'
import { baseName } from './base.mjs'

/** @typedef {ReturnType<typeof openEngine>} Engine */

/** @param {string} place a directory that is empty or not there */
export function openEngine(place) {
  const store = ['--root', join(place, 'store'), '--runroot', join(place, 'run')]
  const options = [...store, '--storage-driver', 'vfs']
  mkdirSync(place, { recursive: true })
  // What it unpacks on its way is not left to the machine's own places.
  const env = { ...process.env, BUILDAH_ISOLATION: 'chroot', TMPDIR: place }
  /** @param {readonly string[]} args */
  const buildah = (...args) => run('buildah', [...options, ...args], { cwd: root, env })
  return {
    buildah,
    /** @param {readonly string[]} args */
    start: args => start('buildah', [...options, ...args], { cwd: root, env }),
    /**
     * Builds the Dockerfile. What the machine needs to reach its registries is mounted for the time of the build.
     * @param {string} name
     */
    build: name => {
      const ways = ['--format', 'docker', '--network', 'host', '--pull-never', '--quiet']
      return buildah('bud', ...ways, ...hostMounts(place), '--tag', name, root)
    },
    /**
     * What the image says about itself.
     * @param {string} name
     * @returns {ImageConfig}
     */
    config: name => JSON.parse(buildah('inspect', '--type', 'image', name)).Docker.config,
    /** True where the base image is in the store already. */
    hasBase: () => buildah('images', '--json').includes(`"${baseName}"`),
    /** Millions of bytes of all layers. @param {string} name */
    megabytes: name => Number(/"size": "([\d.]+) MB"/.exec(buildah('images', '--json', name))?.[1]),
    /** Removes the containers. */
    clear: () => {
      buildah('rm', '--all')
      // What the image was before, in a store that is kept.
      buildah('rmi', '--prune', '--force')
    },
  }
}

/**
 * @typedef {object} ImageConfig
 * @property {string} User
 * @property {readonly string[]} Env
 * @property {readonly string[]} Entrypoint
 * @property {readonly string[]} Cmd
 * @property {{ readonly Test: readonly string[] }} [Healthcheck]
 * @property {string} StopSignal
 * @property {Readonly<Record<string, object>>} Volumes
 */

/** Where npm finds, in the build alone, the certificates that this machine trusts. */
const certificates = '/run/host-certificates.crt'
const npmrc = '/usr/local/etc/npmrc'

/** What the build must leave behind nothing of. */
export const buildOnly = [certificates, npmrc]

/** @param {string} place */
function hostMounts(place) {
  const { NODE_EXTRA_CA_CERTS: bundle } = process.env
  if (bundle === undefined || !existsSync(bundle)) return []
  const settings = join(place, 'npmrc')
  writeFileSync(settings, `cafile=${certificates}\n`)
  return ['--volume', `${bundle}:${certificates}:ro`, '--volume', `${settings}:${npmrc}:ro`]
}
