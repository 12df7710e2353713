// What of the host is mounted into a container, and which of it are repositories.
import { existsSync, lstatSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/**
 * The places that something is mounted at, the root left out.
 * @param {string} mountinfo what /proc/self/mountinfo holds
 */
export function mountPoints(mountinfo) {
  const fields = mountinfo.split('\n').map(line => line.split(' ')[4] ?? '/')
  const places = fields.map(field =>
    // The kernel writes white space and backslashes in octal.
    field.replace(/\\([0-7]{3})/g, (_, octal) => String.fromCharCode(Number.parseInt(octal, 8))),
  )
  return [...new Set(places)].filter(place => place !== '/')
}

/**
 * True for the top of a checkout and for a bare repository.
 * @param {string} place
 */
export function isRepository(place) {
  const isBare = ['HEAD', 'objects', 'refs'].every(name => existsSync(join(place, name)))
  return existsSync(join(place, '.git')) || isBare
}

/**
 * Those of the repositories that somebody else owns who also owns what is mounted there: whoever mounts a directory vouches
 * for its owner. One that a third person has put below it stays refused.
 * @param {readonly string[]} repositories
 * @param {readonly string[]} mounts
 * @param {number} uid who we are
 */
export function vouchedFor(repositories, mounts, uid) {
  return repositories
    .filter(path => existsSync(path))
    .map(path => realpathSync(path))
    .filter(path => {
      const mount = mountOf(path, mounts)
      if (mount === undefined) return false
      const owner = ownerOf(mount)
      const parts = [path, ...gitDirsOf(path)]
      return owner !== uid && !isPattern(path) && parts.every(part => ownerOf(part) === owner)
    })
}

/**
 * The nearest mount that a path lies in; undefined where that is the image itself.
 * @param {string} path
 * @param {readonly string[]} mounts
 */
function mountOf(path, mounts) {
  for (let place = path; place !== '/'; place = dirname(place)) {
    if (mounts.includes(place)) return place
  }
  return undefined
}

/**
 * True for a name that git would take for all that lies beside it.
 * @param {string} path
 */
function isPattern(path) {
  return path.endsWith('/*')
}

/**
 * Where the repository of a checkout lies: by a `.git` file that may be anybody's directory.
 * @param {string} repository
 */
function gitDirsOf(repository) {
  const dotGit = join(repository, '.git')
  if (!existsSync(dotGit)) return [repository]
  const gitDir = pointedTo(repository, dotGit, /^gitdir: (.+?)\n?$/) ?? dotGit
  const commonDir = pointedTo(gitDir, join(gitDir, 'commondir'), /^(.+?)\n?$/) ?? gitDir
  return [dotGit, gitDir, commonDir]
}

/**
 * The place that a file of git names, relative to a directory; undefined where there is no such file.
 * @param {string} from
 * @param {string} file
 * @param {RegExp} form
 */
function pointedTo(from, file, form) {
  if (!lstatSync(file, { throwIfNoEntry: false })?.isFile()) return undefined
  const named = form.exec(readFileSync(file, 'utf8'))?.[1]
  return named === undefined ? undefined : resolve(from, named)
}

/** @param {string} path */
function ownerOf(path) {
  return existsSync(path) ? statSync(path).uid : undefined
}
