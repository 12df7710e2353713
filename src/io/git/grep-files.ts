import { fixedLimits } from '../../core/limits.js'
import { type GitPlace, runGit } from './run-git.js'

/** What to look for: a fixed text on one line. */
export interface GrepOptions {
  readonly text: string
  /** Whole words as they are written, or any place in any case. */
  readonly match: 'word' | 'part'
  /** Look into the index instead of the files. */
  readonly cached: boolean
}

/** Text files that git tracks or would add and that hold a text; names that are no UTF-8 are left out. */
export async function grepFiles(
  place: GitPlace,
  { text, match, cached }: GrepOptions,
): Promise<readonly string[]> {
  const { stdout } = await runGit(
    place,
    [
      ...['grep', '-l', '-z', '-I', '-F', '--full-name', '--no-textconv', '--no-color'],
      ...['--no-recurse-submodules', match === 'word' ? '-w' : '-i'],
      cached ? '--cached' : '--untracked',
      ...['-e', text, '--'],
    ],
    { exitCodes: [1], timeoutMs: fixedLimits.symbolSearchMs },
  )
  const names = stdout.toString('utf8').split('\0').slice(0, -1)
  return names.filter(name => !name.includes('\ufffd'))
}
