// Git for the scripts: one command to its end, with nobody's configuration and fixed names.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { devNull } from 'node:os'
import { resolve } from 'node:path'

const outputBytes = 2 ** 30

/**
 * What git is given of the environment: only what is needed to find it.
 * @type {Readonly<Record<string, string>>}
 */
export const gitEnvironment = {
  PATH: process.env.PATH ?? '',
  HOME: devNull,
  LC_ALL: 'C',
  GIT_CONFIG_GLOBAL: devNull,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'A Person',
  GIT_AUTHOR_EMAIL: 'person@example.com',
  GIT_COMMITTER_NAME: 'A Person',
  GIT_COMMITTER_EMAIL: 'person@example.com',
}

/**
 * Runs git and answers what it printed, byte for byte. An Error with git's own words where it fails.
 * @param {string} cwd
 * @param {readonly string[]} args
 * @param {string | Uint8Array} [input]
 * @returns {Buffer}
 */
export function gitBytes(cwd, args, input = '') {
  const { status, stdout, stderr, error } = tryGit(cwd, args, input)
  if (status === 0) return stdout
  throw new Error(`git ${args.join(' ')} in ${cwd}: ${error?.message ?? stderr.toString()}`)
}

/**
 * The same as text, without white space at the end.
 * @param {string} cwd
 * @param {readonly string[]} args
 * @param {string | Uint8Array} [input]
 */
export function gitText(cwd, args, input) {
  return gitBytes(cwd, args, input).toString('utf8').trimEnd()
}

/**
 * Runs git and answers how it ended.
 * @param {string} cwd
 * @param {readonly string[]} args
 * @param {string | Uint8Array} [input]
 */
export function tryGit(cwd, args, input = '') {
  return spawnSync('git', args, { cwd, env: gitEnvironment, input, maxBuffer: outputBytes })
}

/**
 * Makes a bare clone that shares nothing with the original: no hard links, no alternates.
 * @param {string} original
 * @param {string} clone
 */
export function cloneApart(original, clone) {
  const alternates = gitText(original, ['rev-parse', '--git-path', 'objects/info/alternates'])
  const apart = existsSync(resolve(original, alternates)) ? '--no-local' : '--no-hardlinks'
  gitBytes(original, ['clone', '--quiet', '--bare', apart, original, clone])
}
