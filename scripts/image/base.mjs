// A stand-in for docker.io/library/node:20-bookworm-slim where no registry of images can be asked: Debian by debootstrap
// with the Node.js and npm of this machine, at the places and with the user that the official image has.
import { cpSync, existsSync, readdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { run } from '../steps.mjs'

export const baseName = 'docker.io/library/node:20-bookworm-slim'

/**
 * Makes it in the engine's store.
 * @param {import('./engine.mjs').Engine} engine
 */
export function makeBase(engine) {
  const container = engine.buildah('from', 'scratch')
  const place = engine.buildah('mount', container)
  run('debootstrap', ['--variant=minbase', 'bookworm', place, ...mirror()])
  installNode(place)
  const user = ['--uid', '1000', '--gid', '1000', '--create-home', '--shell', '/bin/bash', 'node']
  run('chroot', [place, '/usr/sbin/groupadd', '--gid', '1000', 'node'])
  run('chroot', [place, '/usr/sbin/useradd', ...user])
  run('chroot', [place, '/usr/bin/apt-get', 'clean'])
  engine.buildah('umount', container)
  const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
  engine.buildah('config', '--env', `PATH=${path}`, '--cmd', '["node"]', container)
  engine.buildah('commit', '--quiet', '--format', 'docker', '--rm', container, baseName)
  return `Debian bookworm with Node.js ${process.versions.node}`
}

/** @param {string} place */
function installNode(place) {
  const npm = dirname(dirname(realpathSync(run('which', ['npm']))))
  const modules = join(place, 'usr/local/lib/node_modules')
  cpSync(process.execPath, join(place, 'usr/local/bin/node'))
  cpSync(npm, join(modules, 'npm'), { recursive: true, verbatimSymlinks: true })
  for (const name of ['npm', 'npx']) {
    const script = `../lib/node_modules/npm/bin/${name}-cli.js`
    symlinkSync(script, join(place, 'usr/local/bin', name))
  }
}

/** Where this machine gets Debian's packages from; where it does not say so, debootstrap knows a place. */
function mirror() {
  const folder = '/etc/apt/sources.list.d'
  const lists = existsSync(folder) ? readdirSync(folder).map(name => join(folder, name)) : []
  const texts = ['/etc/apt/sources.list', ...lists]
    .filter(file => existsSync(file))
    .map(file => readFileSync(file, 'utf8'))
  return (
    texts
      .join('\n')
      .match(/https?:\/\/\S+\/debian(?=\/?\s)/)
      ?.slice(0, 1) ?? []
  )
}
