import { GitFailed, type GitPlace, runGit } from './run-git.js'

const retriedPaths = 64

/** Those of some paths that git ignores, and those that it cannot look at; a tracked one never is. */
export async function ignoredPaths(
  place: GitPlace,
  paths: readonly string[],
): Promise<ReadonlySet<string>> {
  if (paths.length === 0) return new Set()
  try {
    return await askGit(place, paths)
  } catch (error) {
    if (!(error instanceof GitFailed)) throw error
    // One that lies behind a link spoils the answer for all; where it is more than that, nothing helps.
    if (paths.length === 1 || paths.length > retriedPaths) return new Set(paths)
    const sets = await Promise.all([
      ignoredPaths(place, paths.slice(0, paths.length / 2)),
      ignoredPaths(place, paths.slice(paths.length / 2)),
    ])
    return new Set(sets.flatMap(set => [...set]))
  }
}

/** This command knows no literal paths; it looks for no wildcards either, and before `./` no colon is magic. */
async function askGit(place: GitPlace, paths: readonly string[]): Promise<ReadonlySet<string>> {
  const env = { ...place.env, GIT_LITERAL_PATHSPECS: '0' }
  const input = Buffer.from(paths.map(path => `./${path}\0`).join(''))
  const { stdout } = await runGit({ ...place, env }, ['check-ignore', '--stdin', '-z'], {
    input,
    exitCodes: [1],
  })
  const names = stdout.toString('utf8').split('\0').slice(0, -1)
  return new Set(names.map(name => name.slice('./'.length)))
}

/** Directories without a tracked file that git would look into, empty ones too; what lies in them is not listed. */
export async function untrackedDirectories(place: GitPlace): Promise<readonly string[]> {
  const listing = ['ls-files', '--others', '--directory', '--exclude-standard', '-z']
  const { stdout } = await runGit(place, listing)
  const names = stdout.toString('utf8').split('\0')
  return names.flatMap(name => (name.endsWith('/') ? [name.slice(0, -1)] : []))
}
