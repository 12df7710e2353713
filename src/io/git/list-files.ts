import { isUtf8 } from 'node:buffer'
import { type GitPlace, runGit } from './run-git.js'

/** Names of files; those that are no UTF-8 are left out and counted. */
export interface FileListing {
  readonly files: readonly string[]
  readonly unnamed: number
}

/** Files of a worktree that git tracks or would add, each once. */
export async function listFiles(place: GitPlace): Promise<FileListing> {
  const { stdout } = await runGit(place, [
    'ls-files',
    '-z',
    '--cached',
    '--others',
    '--exclude-standard',
    '--deduplicate',
  ])
  return splitNames(stdout)
}

/** What git ignores in a checkout: files, and whole directories without a tracked file, those with a slash at their end. */
export async function listIgnored(
  place: GitPlace,
): Promise<{ readonly files: readonly string[]; readonly unnamed: number }> {
  const which = ['--others', '--ignored', '--exclude-standard', '--directory']
  const { stdout } = await runGit(place, ['ls-files', '-z', ...which])
  return splitNames(stdout)
}

/** What differs between head, index and files: two letters as in `git status --porcelain`, without renames. Names that are no UTF-8 are told as well as they can be. */
export async function listStatus(
  place: GitPlace,
): Promise<readonly { readonly path: string; readonly status: string }[]> {
  const { stdout } = await runGit(place, [
    'status',
    '--porcelain=v1',
    '-z',
    '--no-renames',
    '--untracked-files=all',
    '--ignore-submodules=dirty',
  ])
  const lines = stdout.toString('utf8').split('\0').slice(0, -1)
  return lines.map(line => ({ status: line.slice(0, 2), path: line.slice(3) }))
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Reads names that git printed, each with a NUL behind it. */
export function splitNames(printed: Buffer): FileListing {
  if (isUtf8(printed))
    return { files: printed.toString('utf8').split('\0').slice(0, -1), unnamed: 0 }
  const files: string[] = []
  let unnamed = 0
  for (let at = 0, end = printed.indexOf(0); end >= 0; at = end + 1, end = printed.indexOf(0, at)) {
    try {
      files.push(strict.decode(printed.subarray(at, end)))
    } catch {
      unnamed += 1
    }
  }
  return { files, unnamed }
}
