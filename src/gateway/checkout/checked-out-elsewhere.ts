import { lstatSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { unlessErrno } from '../../io/files/io-refusal.js'
import type { Repository } from '../../io/git/open-repository.js'
import { readRegular } from '../../io/git/read-regular.js'

const headBytes = 4_096
const pathBytes = 8_192

/** What HEAD of other worktrees said, by its path, as long as it is the same file. */
export type KnownHeads = Map<string, { readonly version: string; readonly head: string }>

/**
 * Where else our branch is checked out, which git allows when it is forced to: there a batch would look as if all it
 * did had been taken back. Undefined where it is only here. Looks at one file for each worktree.
 */
export function checkedOutElsewhere(
  { commonDir, workTree }: Repository,
  { gitDir, branch }: { readonly gitDir: string; readonly branch: string },
  known: KnownHeads,
): string | undefined {
  const isHere = (directory: string): boolean =>
    headOf(join(directory, 'HEAD'), known) === `ref: ${branch}`
  if (workTree !== undefined && isHere(commonDir)) return workTree
  const directory = join(commonDir, 'worktrees')
  const others = (unlessErrno(['ENOENT'], () => readdirSync(directory)) ?? [])
    .map(name => join(directory, name))
    .filter(other => other !== gitDir && isHere(other))
  return others.map(placeOf).find(place => place !== undefined)
}

function headOf(path: string, known: KnownHeads): string {
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  if (stat === undefined) return ''
  const version = `${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}`
  const before = known.get(path)
  if (before?.version === version) return before.head
  const head = readRegular(path, headBytes)?.toString('utf8').trimEnd() ?? ''
  if (known.size >= mostKnown) known.clear()
  known.set(path, { version, head })
  return head
}

const mostKnown = 1_000

/** The directory of a linked worktree; undefined for one that is gone, whose registration is only not pruned yet. */
function placeOf(gitDir: string): string | undefined {
  const link = readRegular(join(gitDir, 'gitdir'), pathBytes)?.toString('utf8').trimEnd() ?? ''
  return lstatSync(link, { throwIfNoEntry: false }) === undefined ? undefined : dirname(link)
}
