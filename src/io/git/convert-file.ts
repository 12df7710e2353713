import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Oid, parseOid } from '../../core/oid.js'
import type { RepoPath } from '../../core/repo-path.js'
import { copyIndex } from './index-copy.js'
import { type GitPlace, runGit } from './run-git.js'

/** What git would write into the worktree for a blob. */
export async function smudgeBlob(place: GitPlace, path: RepoPath, oid: Oid): Promise<Buffer> {
  const { stdout } = await runGit(place, ['cat-file', '--filters', `--path=${path}`, oid])
  return stdout
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
    // --replace: on the disk a directory may have become a file by now, or the reverse.
    await runGit(place, ['update-index', '-z', '--add', '--remove', '--replace', '--stdin'], {
      env,
      input: `${path}\0`,
    })
    const { stdout } = await runGit(place, ['ls-files', '--stage', '-z', '--', path], { env })
    const oid = /^\d+ ([0-9a-f]+) 0\t/.exec(stdout.toString('utf8'))?.[1]
    return oid === undefined ? undefined : parseOid(oid)
  })
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
