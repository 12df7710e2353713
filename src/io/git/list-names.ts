import { type GitPlace, runGit } from './run-git.js'

/** Regular files of the index, by their bytes as latin1. */
export async function listRegular(place: GitPlace): Promise<ReadonlySet<string>> {
  const { stdout } = await runGit(place, ['ls-files', '--stage', '-z'])
  const entries = stdout.toString('latin1').split('\0')
  const regular = entries.filter(entry => entry.startsWith('100'))
  return new Set(regular.map(entry => entry.slice(entry.indexOf('\t') + 1)))
}

/** All names of the index, each once, with a NUL behind it. */
export async function printTracked(place: GitPlace): Promise<Buffer> {
  return (await runGit(place, ['ls-files', '--cached', '--deduplicate', '-z'])).stdout
}

/** What git does not track and would add, links too, in the same form. */
export async function listOthers(place: GitPlace, path = ''): Promise<readonly string[]> {
  const others = ['ls-files', '--others', '--exclude-standard', '-z', '--', ...scoped(path)]
  const { stdout } = await runGit(place, others)
  return stdout.toString('latin1').split('\0').slice(0, -1)
}

/** All names of the index, and those at whose files git was told not to look. */
export async function listTagged(
  place: GitPlace,
): Promise<{ readonly names: readonly string[]; readonly unwatched: readonly string[] }> {
  const { stdout } = await runGit(place, ['ls-files', '--cached', '-v', '-z'])
  const entries = stdout.toString('latin1').split('\0').slice(0, -1)
  // Small letters are for files assumed to be unchanged, S for those that need not be there.
  const unwatched = entries.filter(entry => /^[a-zS]/.test(entry)).map(nameOf)
  return { names: entries.map(nameOf), unwatched }
}

/** Entries of the index whose files have other stat data, or are not there. */
export async function listChanged(
  place: GitPlace,
): Promise<{ readonly raw: Buffer; readonly paths: readonly string[] }> {
  const changed = ['diff-files', '--raw', '-z', '--no-renames', '--ignore-submodules=all']
  const { stdout } = await runGit(place, changed)
  const fields = stdout.toString('latin1').split('\0')
  return { raw: stdout, paths: fields.filter((_, at) => at % 2 === 1) }
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** A name that is told by its bytes; undefined where they are not UTF-8. */
export function utf8Of(latin1: string): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII with all its control characters.
  if (/^[\u0000-\u007f]*$/.test(latin1)) return latin1
  try {
    return strict.decode(Buffer.from(latin1, 'latin1'))
  } catch {
    return undefined
  }
}

function nameOf(tagged: string): string {
  return tagged.slice(2)
}

function scoped(path: string): readonly string[] {
  return path === '' ? [] : [path]
}
