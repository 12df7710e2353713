import { type GitPlace, runGit } from './run-git.js'

/**
 * Files that were written in the second in which the index was may have changed since without a trace, so that git reads
 * them anew each time that it is asked. This lets it write down that they have not, as `git status` of a user does;
 * nothing else in the index changes. Where somebody holds its lock nothing is done.
 */
export async function settleIndex(place: GitPlace): Promise<void> {
  const status = ['status', '--porcelain', '-z', '--untracked-files=no', '--no-renames']
  const env = { GIT_OPTIONAL_LOCKS: '1' }
  await runGit(place, [...status, '--ignore-submodules=all'], { env })
}
