// Builds a repository that tries to run code or to lead out of itself by every way that git has. What it
// plants only adds a line to a log and then does as the real thing would. Plain Node and git, no node_modules.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { plantConfiguration } from './hostile-config.mjs'
import { writeCode, writeDrivers, writeEmbedded, writeOddNames } from './hostile-files.mjs'
import { git } from './hostile-git.mjs'
import { plantObjects } from './hostile-objects.mjs'
import { plantPrograms } from './hostile-programs.mjs'

/**
 * What a test needs to know of it.
 * @typedef {object} HostileRepository
 * @property {string} path the main checkout
 * @property {string} worktree a linked worktree on the branch `agent`
 * @property {string} outside files that must never be read or written through the repository
 * @property {string} log one line for each planted program that ran
 * @property {string} alternates the file that borrows the objects of somebody else
 * @property {string} base
 * @property {string} victimBlob a blob of the repository whose objects are borrowed
 * @property {string} lied a commit that a replace ref gives another tree
 * @property {string} treeBomb
 * @property {string} signed
 * @property {string} missing the id of an object that is nowhere
 * @property {readonly string[]} badTrees branches whose tree holds `.git` in some spelling, `..` or a slash
 */

/**
 * Builds it in a directory that does not exist yet.
 * @param {string} directory
 * @returns {HostileRepository}
 */
export function buildHostileRepository(directory) {
  const path = join(directory, 'repo')
  const outside = join(directory, 'outside')
  const log = join(directory, 'canary.log')
  mkdirSync(path, { recursive: true })
  writeFileSync(log, '', { mode: 0o666 })
  plantPrograms(directory, log)
  const victimBlob = buildVictim(outside)

  git(path, 'init', '--quiet', '--template=', '-b', 'main')
  writeCode(path)
  const base = commitAll(path, 'base')
  git(path, 'checkout', '--quiet', '-b', 'side')
  writeFileSync(join(path, 'src/b.ts'), 'line1\nSIDE\nline3\n')
  commitAll(path, 'side edits b')
  git(path, 'checkout', '--quiet', 'main')
  writeFileSync(join(path, 'src/b.ts'), 'line1\nMAIN\nline3\n')
  const lied = commitAll(path, 'main edits b')
  writeOddNames(path, outside)
  commitAll(path, 'odd names')
  writeEmbedded(path, join(directory, 'bin/barerepo-fsmon'))
  commitAll(path, 'embedded bare repository')
  writeDrivers(path)
  commitAll(path, 'attributes')
  const objects = plantObjects(path, { base, lied, programs: join(directory, 'bin') })

  const worktree = join(directory, 'agent')
  git(path, 'worktree', 'add', '--quiet', '-b', 'agent', worktree, 'refs/heads/main')
  plantConfiguration(path, directory)
  const alternates = join(path, '.git/objects/info/alternates')
  writeFileSync(alternates, `${join(outside, 'victim/.git/objects')}\n`)
  writeFileSync(log, '')
  const missing = `${'0'.repeat(32)}deadbeef`
  return { path, worktree, outside, log, alternates, base, victimBlob, lied, missing, ...objects }
}

/**
 * The planted programs that ran since the last look, each once.
 * @param {HostileRepository} repository
 * @returns {readonly string[]}
 */
export function takeCanaries({ log }) {
  const lines = existsSync(log) ? readFileSync(log, 'utf8').split('\n').filter(Boolean) : []
  writeFileSync(log, '')
  return [...new Set(lines)].sort()
}

/**
 * Secrets, and somebody else's repository.
 * @param {string} outside
 */
function buildVictim(outside) {
  const victim = join(outside, 'victim')
  mkdirSync(join(outside, 'dir'), { recursive: true })
  mkdirSync(victim)
  writeFileSync(join(outside, 'secret.txt'), 'TOP-SECRET outside file\n')
  writeFileSync(join(outside, 'dir/f.txt'), 'outside dir file\n')
  git(victim, 'init', '--quiet', '--template=', '-b', 'main')
  writeFileSync(join(victim, 'private.txt'), 'victim private source\n')
  commitAll(victim, 'victim private')
  return git(victim, 'rev-parse', 'HEAD:private.txt')
}

/**
 * @param {string} path
 * @param {string} message
 */
function commitAll(path, message) {
  git(path, 'add', '--all')
  git(path, 'commit', '--quiet', '-m', message)
  return git(path, 'rev-parse', 'HEAD')
}
