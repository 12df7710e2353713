import { fixedLimits } from '../../core/limits.js'
import { type GitPlace, runGit } from './run-git.js'

/** What one file names as something that it needs. */
export interface NamedImport {
  readonly path: string
  /** As it stands there: `./cart.js`, `a.b.c`, `lib/x.h`. */
  readonly specifier: string
}

/** Lines of JavaScript and its kin, of C and its kin, and of Python. Ours, and none that could take long. */
const importing = [
  String.raw`(?:\bfrom|\bimport|\brequire)\s*\(?\s*['"]\.[^'"]*['"]`,
  String.raw`^\s*#\s*include\s*"[^"]*"`,
  String.raw`^\s*(?:from\s+[.\w]+\s+import\b|import\s+[.\w]+\s*$)`,
].join('|')

/** Every import of a file of the same repository, as far as a line tells it. Refuses with `TIMEOUT` or `TOO_LARGE`. */
export async function grepImports(
  place: GitPlace,
  { cached }: { readonly cached: boolean },
): Promise<readonly NamedImport[]> {
  const { stdout } = await runGit(
    place,
    [
      ...['grep', '-o', '-z', '-I', '-P', '--full-name', '--no-textconv', '--no-color'],
      ...['--no-recurse-submodules', cached ? '--cached' : '--untracked', '-e', importing, '--'],
    ],
    { exitCodes: [1], timeoutMs: fixedLimits.searchMs, outputBytes: fixedLimits.importBytes },
  )
  const lines = stdout.toString('utf8').split('\n').slice(0, -1)
  return lines.flatMap(line => {
    const nul = line.indexOf('\0')
    const [, quoted, dotted] =
      /['"]([^'"]*)['"]|(?:from|import)\s+([.\w]+)/.exec(line.slice(nul + 1)) ?? []
    const specifier = quoted ?? dotted
    return specifier === undefined ? [] : [{ path: line.slice(0, nul), specifier }]
  })
}
