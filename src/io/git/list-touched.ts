import { fixedLimits } from '../../core/limits.js'
import type { Oid } from '../../core/oid.js'
import { type GitPlace, runGit } from './run-git.js'

/** The paths that each commit touched, newest commit first, merges left out; names that are no UTF-8 are told as well as they can be. */
export async function listTouched(
  place: GitPlace,
  { head, since }: { readonly head: Oid; readonly since?: Oid | undefined },
): Promise<readonly (readonly string[])[]> {
  // Finding renames would read blobs, and cost more than all the rest.
  const { stdout } = await runGit(place, [
    ...['log', '--no-merges', '--no-renames', '--name-only', '--format=%x01', '-z'],
    ...[`--max-count=${fixedLimits.churnCommits}`, '--no-show-signature', '--end-of-options'],
    ...[head, ...(since === undefined ? [] : [`^${since}`]), '--'],
  ])
  const commits: string[][] = []
  for (const field of stdout.toString('utf8').split('\0')) {
    if (field === '\x01') commits.push([])
    else if (field !== '') commits.at(-1)?.push(field.replace(/^\n/, ''))
  }
  return commits
}
