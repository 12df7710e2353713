import { type GitPlace, runGit } from './run-git.js'

/** Regular files of the index, by their bytes as latin1; below one path, or all for ''. */
export async function listRegular(place: GitPlace, path: string): Promise<ReadonlySet<string>> {
  const { stdout } = await runGit(place, ['ls-files', '--stage', '-z', '--', ...scoped(path)])
  const entries = stdout.toString('latin1').split('\0')
  const regular = entries.filter(entry => entry.startsWith('100'))
  return new Set(regular.map(entry => entry.slice(entry.indexOf('\t') + 1)))
}

/** What git does not track and would add, links too, in the same form. */
export async function listUntracked(place: GitPlace, path: string): Promise<readonly string[]> {
  const others = ['ls-files', '--others', '--exclude-standard', '-z', '--', ...scoped(path)]
  const { stdout } = await runGit(place, others)
  return stdout.toString('latin1').split('\0').slice(0, -1)
}

function scoped(path: string): readonly string[] {
  return path === '' ? [] : [path]
}
