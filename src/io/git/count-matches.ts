import { Refusal } from '../../core/errors.js'
import { fixedLimits } from '../../core/limits.js'
import { literalPattern, utf16Marks } from './literal-pattern.js'
import { GitFailed, type GitPlace, runGit } from './run-git.js'

/** What to look for in the lines of files. */
export interface LinePattern {
  readonly text: string
  readonly syntax: 'fixed' | 'regex'
  readonly ignoreCase: boolean
}

/** Where to look: all files, or one file or directory. */
export interface SearchScope {
  /** A normal path from the root; '' for all. */
  readonly path: string
}

/** How many lines of each file fit a pattern; names are bytes as latin1. */
export type LineCounts = ReadonlyMap<string, number>

/**
 * How many lines fit in each file that git tracks or would add, binary ones too, or with `cached` in what the index
 * holds. A file in UTF-16 is there with one line at least where its text may fit. Refuses with `PATTERN_TIMEOUT` or
 * `INVALID_ARGUMENTS`.
 */
export async function countByGrep(
  place: GitPlace,
  { text, syntax, ignoreCase }: LinePattern,
  { path, cached }: SearchScope & { readonly cached: boolean },
): Promise<LineCounts> {
  const grep = (patterns: readonly string[]): Promise<Buffer> =>
    grepRefusing(place, syntax, [
      ...['grep', '-c', '-z', '--full-name', '--no-textconv', '--no-color'],
      ...['--no-recurse-submodules', ...(ignoreCase ? ['-i'] : [])],
      ...[cached ? '--cached' : '--untracked', ...patterns, '--'],
      // Literal, as all pathspecs are here.
      ...(path === '' ? [] : [path]),
    ])
  if (syntax === 'regex') return readCounts(await grep(['-P', '-e', text, '-e', utf16Marks]))
  try {
    return readCounts(await grep(['-P', '-e', literalPattern(text)]))
  } catch (error) {
    // A git that was built without patterns of this kind finds text in UTF-8 alone.
    if (!(error instanceof GitFailed && /Perl-compatible/.test(error.stderr))) throw error
    return readCounts(await grep(['-F', '-e', text]))
  }
}

/** `name NUL count LF` for each file. */
export function readCounts(stdout: Buffer): LineCounts {
  const counts = new Map<string, number>()
  const text = stdout.toString('latin1')
  for (let at = 0; at < text.length; ) {
    const nul = text.indexOf('\0', at)
    const feed = text.indexOf('\n', nul)
    if (nul < 0 || feed < 0) break
    counts.set(text.slice(at, nul), Number.parseInt(text.slice(nul + 1, feed), 10))
    at = feed + 1
  }
  return counts
}

/** What a `git grep` prints, within its time; what is wrong with its pattern is a refusal. */
export async function grepRefusing(
  place: GitPlace,
  syntax: LinePattern['syntax'],
  args: readonly string[],
): Promise<Buffer> {
  const timeoutMs = syntax === 'fixed' ? fixedLimits.searchMs : fixedLimits.backtrackMs
  try {
    return (await runGit(place, args, { exitCodes: [1], timeoutMs })).stdout
  } catch (error) {
    if (error instanceof Refusal && error.code === 'TIMEOUT') throw new Refusal('PATTERN_TIMEOUT')
    if (!(error instanceof GitFailed)) throw error
    const problem = /^fatal: (?:-e option|command line), (.*)$/m.exec(error.stderr)?.[1]
    if (problem !== undefined) throw badPattern(problem)
    if (/\b(?:match|recursion|heap|depth) limit|exhausted/i.test(error.stderr)) {
      throw new Refusal('PATTERN_TIMEOUT')
    }
    throw error
  }
}

/** The refusal of a pattern in the words of its engine. */
export function badPattern(problem: string): Refusal {
  return new Refusal('INVALID_ARGUMENTS', {
    problems: [{ field: 'pattern', problem: problem.slice(0, 500) }],
  })
}
