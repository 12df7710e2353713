import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { Refusal } from '../../core/errors.js'
import { type Oid, parseOid } from '../../core/oid.js'
import type { RepoPath } from '../../core/repo-path.js'
import { copyIndex } from './index-copy.js'
import { readIndex } from './index-file.js'
import { lookUpIndex } from './index-lookup.js'
import { GitFailed, type GitPlace, runGit } from './run-git.js'
import { byteName, setPresence } from './skip-worktree.js'

/** What git would write into the worktree for a blob. */
export async function smudgeBlob(place: GitPlace, path: RepoPath, oid: Oid): Promise<Buffer> {
  return converting(path, async () => {
    if (await hasAbsentAttributes(place, path)) return checkOutAside(place, path, oid)
    const { stdout } = await runGit(place, ['cat-file', '--filters', `--path=${path}`, oid])
    return stdout
  })
}

/** True where a .gitattributes above the path is in the index and not on the disk: cat-file does not read the index. */
async function hasAbsentAttributes(place: GitPlace, path: RepoPath): Promise<boolean> {
  const { GIT_WORK_TREE: root = '', GIT_DIR: gitDir = '' } = place.env
  const names = path.split('/').map((_, depth, all) => all.slice(0, depth).join('/'))
  const files = names.map(directory => posix.join(directory, '.gitattributes'))
  const absent = files.filter(file => !existsSync(join(root, file)))
  return (await lookUpIndex(place, readIndex(join(gitDir, 'index')), absent)).size > 0
}

/** The same by a checkout to a directory of ours. */
async function checkOutAside(place: GitPlace, path: RepoPath, oid: Oid): Promise<Buffer> {
  return withIndexCopy(place.env.GIT_DIR ?? '', async index => {
    const env = { GIT_INDEX_FILE: index }
    const aside = `${index}-out`
    const entry = `100644 ${oid}\t${path}\0`
    await runGit(place, ['update-index', '-z', '--index-info'], { env, input: entry })
    try {
      const args = ['checkout-index', '-z', '--stdin', `--prefix=${aside}/`]
      await runGit(place, args, { env, input: `${path}\0` })
      return readFileSync(join(aside, path))
    } finally {
      rmSync(aside, { recursive: true, force: true })
    }
  })
}

/**
 * Stores the file of the worktree as `git add` would and answers the blob's id: with `update-index` on a
 * private copy of the index, since `hash-object` does not know that a blob with CRLF stays so under `text=auto`.
 */
export async function cleanFile(
  place: GitPlace,
  gitDir: string,
  path: RepoPath,
): Promise<Oid | undefined> {
  return withIndexCopy(gitDir, async index => {
    const env = { GIT_INDEX_FILE: index }
    const staged = await lookUpIndex(place, readIndex(index), [path])
    // Git would not look at a file that need not be there, and drop its entry.
    if (staged.get(path)?.skipWorktree) await setPresence(place, index, [byteName(path)], 'needed')
    // --replace: on the disk a directory may have become a file by now, or the reverse.
    const args = ['update-index', '-z', '--add', '--remove', '--replace', '--stdin']
    await converting(path, () => runGit(place, args, { env, input: `${path}\0` }))
    const { stdout } = await runGit(place, ['ls-files', '--stage', '-z', '--', path], { env })
    const oid = /^\d+ ([0-9a-f]+) 0\t/.exec(stdout.toString('utf8'))?.[1]
    return oid === undefined ? undefined : parseOid(oid)
  })
}

/** What git cannot convert is a refusal in git's own words: `FILTERED` for a filter that fails, else `UNSUPPORTED_ENCODING`. */
async function converting<T>(path: RepoPath, convert: () => Promise<T>): Promise<T> {
  try {
    return await convert()
  } catch (error) {
    if (!(error instanceof GitFailed)) throw error
    const problem = error.stderr.trim().split('\n').at(-1)
    const filter = /(?:clean|smudge) filter '?([^']*?)'? failed/.exec(error.stderr)?.[1]
    if (filter !== undefined) throw new Refusal('FILTERED', { path, filter, problem })
    if (!/BOM is |failed to encode|would be replaced by/.test(error.stderr)) throw error
    throw new Refusal('UNSUPPORTED_ENCODING', { path, problem })
  }
}

/** Runs with a private copy of a worktree's index, which carries the time of the original, and removes it. */
export async function withIndexCopy<T>(
  gitDir: string,
  use: (index: string) => Promise<T>,
): Promise<T> {
  const index = join(gitDir, 'index')
  const copy = join(gitDir, 'editlatch', `index-${randomBytes(6).toString('hex')}`)
  mkdirSync(dirname(copy), { recursive: true })
  if (existsSync(index)) copyIndex(index, copy)
  try {
    return await use(copy)
  } finally {
    rmSync(copy, { force: true })
    rmSync(`${copy}.lock`, { force: true })
  }
}
