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

/** Where to look, and who is told meanwhile. */
export interface SearchScope {
  /** A file or directory, normal and from the root; '' for all files. */
  readonly path: string
  /** Look into the index instead of the files. */
  readonly cached: boolean
  /** Is told the first files as they are found, in the order of their names. */
  readonly onFile?: OnFile | undefined
}

/** Told a name, as bytes in latin1, and how many lines fit. */
export type OnFile = (name: string, count: number) => void

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
  { path, cached, onFile }: SearchScope,
): Promise<LineCounts> {
  const grep = (patterns: readonly string[]): Promise<Buffer> => {
    const args = [
      ...['grep', '-c', '-z', '--full-name', '--no-textconv', '--no-color'],
      ...['--no-recurse-submodules', ...(ignoreCase ? ['-i'] : [])],
      ...[cached ? '--cached' : '--untracked', ...patterns, '--'],
      // Literal, as all pathspecs are here.
      ...(path === '' ? [] : [path]),
    ]
    return grepRefusing(place, syntax, args, onFile && countsAsTheyCome(onFile))
  }
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

/** Reads the same from output that comes in pieces. */
function countsAsTheyCome(onFile: OnFile): (chunk: Uint8Array) => void {
  let rest = ''
  return chunk => {
    rest += Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString('latin1')
    for (let nul = rest.indexOf('\0'); nul >= 0; nul = rest.indexOf('\0')) {
      const feed = rest.indexOf('\n', nul)
      if (feed < 0) return
      onFile(rest.slice(0, nul), Number.parseInt(rest.slice(nul + 1, feed), 10))
      rest = rest.slice(feed + 1)
    }
  }
}

/** What a `git grep` prints, within its time; what is wrong with its pattern is a refusal. */
export async function grepRefusing(
  place: GitPlace,
  syntax: LinePattern['syntax'],
  args: readonly string[],
  onPreview?: (chunk: Uint8Array) => void,
): Promise<Buffer> {
  const timeoutMs = syntax === 'fixed' ? fixedLimits.searchMs : fixedLimits.backtrackMs
  try {
    return (await runGit(place, args, { exitCodes: [1], timeoutMs, onPreview })).stdout
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
