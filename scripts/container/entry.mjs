// The start of the container. It serves the repositories that are mounted, unless others are named, and declares safe for
// git those of them whose owner is the owner of the mount. The program then runs in this same process.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { programArguments } from './arguments.mjs'
import { isRepository, mountPoints, vouchedFor } from './mounts.mjs'

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url))
const given = process.argv.slice(2)
const mounts = mountPoints(readFileSync('/proc/self/mountinfo', 'utf8'))
const mounted = mounts.filter(isRepository)
const args = programArguments(given, mounted)

if (args === undefined) {
  console.error(
    'No repository is mounted. Mount one at the path that it has on the host: docker run -v "$PWD:$PWD" ...',
  )
  process.exitCode = 2
} else {
  const named = given.filter(argument => argument.startsWith('/') && isRepository(argument))
  declareSafe(vouchedFor([...mounted, ...named], mounts, process.geteuid?.() ?? 0))
  process.argv = [process.argv[0] ?? 'node', main, ...args]
  await import(main)
}

/**
 * By a file of git's configuration instead of the one in the image, which may be read-only.
 * @param {readonly string[]} repositories
 */
function declareSafe(repositories) {
  if (repositories.length === 0) return
  const system = process.env.GIT_CONFIG_SYSTEM ?? '/etc/gitconfig'
  const lines = repositories.map(path => `\tdirectory = ${quoted(path)}`)
  const file = join(mkdtempSync(join(tmpdir(), 'editlatch-')), 'gitconfig')
  const text = ['[include]', `\tpath = ${quoted(system)}`, '[safe]', ...lines, ''].join('\n')
  writeFileSync(file, text)
  process.env.GIT_CONFIG_SYSTEM = file
}

/** @param {string} text */
function quoted(text) {
  return `"${text.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`
}
