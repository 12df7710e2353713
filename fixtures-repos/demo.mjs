// Builds the demo repository: a tiny greeting program with a past of six commits. Names and dates are
// fixed, so its object ids are the same everywhere. Plain Node and git, no node_modules.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { devNull } from 'node:os'
import { dirname, join } from 'node:path'
import { demoCommits } from './demo-commits.mjs'

/**
 * Builds it in a directory that does not exist yet, and answers the id of its last commit.
 * @param {string} directory
 */
export function buildDemoRepository(directory) {
  mkdirSync(directory, { recursive: true })
  git(directory, ['init', '--quiet', '--template=', '-b', 'main'])
  for (const commit of demoCommits) {
    for (const [path, text] of Object.entries(commit.files)) write(join(directory, path), text)
    git(directory, ['add', '--all'])
    git(directory, ['commit', '--quiet', '-m', commit.message], signature(commit))
  }
  return git(directory, ['rev-parse', 'HEAD'])
}

/**
 * A null text removes the file; a text with a shebang may be run.
 * @param {string} file
 * @param {string | null} text
 */
function write(file, text) {
  if (text === null) return rmSync(file)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  chmodSync(file, text.startsWith('#!') ? 0o755 : 0o644)
}

/** @param {{ readonly author: string, readonly date: string }} commit */
function signature({ author, date }) {
  const email = `${author.split(' ')[0]?.toLowerCase()}@example.com`
  return {
    GIT_AUTHOR_NAME: author,
    GIT_AUTHOR_EMAIL: email,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: author,
    GIT_COMMITTER_EMAIL: email,
    GIT_COMMITTER_DATE: date,
  }
}

/**
 * @param {string} cwd
 * @param {readonly string[]} args
 * @param {Readonly<Record<string, string>>} [variables]
 */
function git(cwd, args, variables = {}) {
  // Nobody's hooks, signing or line endings: of the environment only what is needed to find git.
  const config = { GIT_CONFIG_GLOBAL: devNull, GIT_CONFIG_NOSYSTEM: '1' }
  const env = { PATH: process.env.PATH ?? '', ...config, ...variables }
  const { status, stdout, stderr, error } = spawnSync('git', args, { cwd, env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`git ${args[0]} failed: ${error?.message ?? stderr}`)
  return stdout.trim()
}
