// Brings a checkout to the point where it can run: system commands, npm packages, built code. Does only
// what is missing. It works without node_modules, so it uses nothing but Node. Run alone: `npm run build`.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The top of the checkout. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)))

const builtFrom = join(root, 'dist/.built-from')

/** What is shipped as it is; tsc would leave it behind. */
const shipped = 'formats/code/grammars'

/**
 * Installs what is missing of these commands where apt-get and root allow it; else says what to install.
 * Each command has the name of its Debian package.
 * @param {readonly string[]} commands
 */
export function installCommands(commands) {
  const missing = commands.filter(command => !onPath(command))
  if (missing.length === 0) return
  const names = missing.join(' ')
  if (!onPath('apt-get') || process.getuid?.() !== 0) stop(`Please install: ${names}`)
  console.log(`Installing ${names}`)
  run('apt-get', ['update', '--quiet'])
  run('apt-get', ['install', '--quiet', '--yes', '--no-install-recommends', ...missing])
}

/** Runs `npm ci` unless node_modules holds exactly what package-lock.json names. */
export function installPackages() {
  if (packagesAreInstalled()) return
  console.log('Installing the npm packages')
  run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund'])
}

/** Compiles src to dist unless dist was built from just these sources; false when it does not compile. */
export function build() {
  const sources = hashSources()
  if (existsSync(builtFrom) && readFileSync(builtFrom, 'utf8') === sources) return true
  rmSync(builtFrom, { force: true })
  const compiled = spawnSync(process.execPath, [tool('typescript/bin/tsc')], options).status === 0
  cpSync(join(root, 'src', shipped), join(root, 'dist', shipped), { recursive: true })
  removeOrphans()
  // npm would do it where it installs; whoever only unpacks the package can run it, too.
  if (compiled) chmodSync(join(root, 'dist/main.js'), 0o755)
  if (compiled) writeFileSync(builtFrom, sources)
  return compiled
}

/**
 * The script of an installed development tool; run with node it needs neither npx nor a shell.
 * @param {string} script
 */
export function tool(script) {
  return join(root, 'node_modules', script)
}

/**
 * Ends with a sentence for the user instead of a stack.
 * @param {string} message
 * @returns {never}
 */
export function stop(message) {
  console.error(message)
  process.exit(1)
}

/** @type {import('node:child_process').SpawnSyncOptions} */
const options = { cwd: root, stdio: 'inherit' }

/**
 * @param {string} command
 * @param {readonly string[]} args
 */
function run(command, args) {
  const { status, error } = spawnSync(command, args, options)
  if (status !== 0) stop(`${command} ${args[0]} failed${error ? `: ${error.message}` : ''}`)
}

/** @param {string} command */
function onPath(command) {
  return (process.env.PATH ?? '').split(delimiter).some(folder => existsSync(join(folder, command)))
}

// npm itself leaves a stamp: a copy of the lock with what it really installed, written last.
function packagesAreInstalled() {
  const stamp = join(root, 'node_modules/.package-lock.json')
  if (!existsSync(stamp)) return false
  const installed = readPackages(stamp)
  return Object.entries(readPackages(join(root, 'package-lock.json'))).every(([path, wanted]) => {
    const found = installed[path]
    if (path === '' || (found === undefined && wanted.optional)) return true
    return found?.integrity === wanted.integrity
  })
}

/**
 * @param {string} lockFile
 * @returns {Record<string, { integrity?: string, optional?: boolean }>}
 */
function readPackages(lockFile) {
  return JSON.parse(readFileSync(lockFile, 'utf8')).packages
}

function hashSources() {
  const hash = createHash('sha256')
  for (const file of ['package-lock.json', 'tsconfig.json', ...filesUnder('src')]) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0')
  }
  return hash.digest('hex')
}

// A renamed source must not go on living in dist; but dist stays, for a server may be running from it.
function removeOrphans() {
  for (const file of filesUnder('dist')) {
    const source = file.replace(/^dist/, 'src').replace(/(\.d\.ts|\.js|\.js\.map)$/, '.ts')
    if (!existsSync(join(root, source))) rmSync(join(root, file))
  }
}

/** @param {string} folder */
function filesUnder(folder) {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort()
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  installPackages()
  if (!build()) stop('The sources do not compile')
}
