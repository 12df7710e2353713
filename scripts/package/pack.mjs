// The package as npm would publish it, and what it needs to be tried without installing.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../setup.mjs'

/**
 * @typedef {object} Packed
 * @property {string} tarball its path
 * @property {number} size bytes of the tarball
 * @property {number} unpackedSize
 * @property {readonly { readonly path: string, readonly size: number, readonly mode: number }[]} files
 */

/**
 * Packs what is built already.
 * @param {string} directory where the tarball goes
 * @returns {Packed}
 */
export function pack(directory) {
  const ways = ['pack', '--ignore-scripts', '--json', '--pack-destination', directory]
  const [{ filename, size, unpackedSize, files }] = JSON.parse(run('npm', ways, root))
  return { tarball: join(directory, filename), size, unpackedSize, files }
}

/**
 * Unpacks a tarball to where a program in a directory would find it, with links to the packages of this checkout that it
 * depends on.
 * @param {string} tarball
 * @param {string} directory
 */
export function unpack(tarball, directory) {
  const modules = join(directory, 'node_modules')
  const place = join(modules, 'editlatch')
  mkdirSync(place, { recursive: true })
  run(
    'tar',
    ['--extract', '--file', tarball, '--directory', place, '--strip-components', '1'],
    root,
  )
  const manifest = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'))
  for (const name of [...Object.keys(manifest.dependencies), '@types/node', 'undici-types']) {
    mkdirSync(dirname(join(modules, name)), { recursive: true })
    symlinkSync(join(root, 'node_modules', name), join(modules, name))
  }
  return place
}

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {string} cwd
 */
export function run(command, args, cwd) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  if (status === 0) return stdout
  throw new Error(`${command} ${args[0]} failed: ${error?.message ?? `${stdout}${stderr}`.trim()}`)
}
