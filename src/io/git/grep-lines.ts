import type { LinePattern } from './count-matches.js'
import { grepRefusing } from './count-matches.js'
import type { GitPlace } from './run-git.js'

/** A line as git found it on the disk or in the index. */
export interface GrepLine {
  readonly path: string
  readonly line: number
  /** The byte of the line, from 0, where it fits first. */
  readonly byte: number
  readonly text: Buffer
}

/** The lines of some files that fit. Refuses as `countByGrep`. */
export async function grepLines(
  place: GitPlace,
  { text, ignoreCase }: LinePattern,
  { paths, cached }: { readonly paths: readonly string[]; readonly cached: boolean },
): Promise<readonly GrepLine[]> {
  const stdout = await grepRefusing(place, 'regex', [
    ...['grep', '-n', '--column', '-z', '-a', '-P', '--full-name', '--no-textconv', '--no-color'],
    ...['--no-recurse-submodules', ...(ignoreCase ? ['-i'] : [])],
    cached ? '--cached' : '--untracked',
    ...['-e', text, '--', ...paths],
  ])
  return [...readLines(stdout)]
}

/** `name NUL line NUL column NUL text LF`. */
function* readLines(stdout: Buffer): Iterable<GrepLine> {
  for (let at = 0; at < stdout.length; ) {
    const [name, line, column] = [0, 1, 2].map(() => {
      const nul = stdout.indexOf(0, at)
      const field = stdout.toString('utf8', at, nul)
      at = nul + 1
      return field
    })
    const feed = stdout.indexOf(0x0a, at)
    const end = feed < 0 ? stdout.length : feed
    const text = stdout.subarray(at, end)
    yield { path: name ?? '', line: Number(line), byte: Number(column) - 1, text }
    at = end + 1
  }
}
