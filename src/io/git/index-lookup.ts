import type { FileMode } from '../../core/blob.js'
import { type Oid, parseOid } from '../../core/oid.js'
import { findEntry, type IndexLayout } from './index-file.js'
import { type GitPlace, runGit } from './run-git.js'

/** What the index holds for one path, as far as landing a change has to know. */
export interface StagedEntry {
  readonly oid: Oid
  readonly mode: FileMode
  readonly skipWorktree: boolean
  readonly intentToAdd: boolean
}

/** The stage-0 entries of some paths: read in place where the index can be searched, else asked of git. */
export async function lookUpIndex(
  place: GitPlace,
  layout: IndexLayout,
  paths: readonly string[],
): Promise<ReadonlyMap<string, StagedEntry>> {
  if (paths.length === 0) return new Map()
  return layout.searchable ? search(layout, paths) : askGit(place, paths)
}

/** True where some path stands in conflict. */
export async function hasUnmerged(place: GitPlace, layout: IndexLayout): Promise<boolean> {
  if (layout.searchable) return layout.hasUnmerged
  const { stdout } = await runGit(place, ['ls-files', '--unmerged', '-z'])
  return stdout.length > 0
}

function search(layout: IndexLayout, paths: readonly string[]): ReadonlyMap<string, StagedEntry> {
  const entries = new Map<string, StagedEntry>()
  for (const path of paths) {
    const entry = findEntry(layout, path)
    if (entry === undefined || entry.stage !== 0 || entry.mode === '040000') continue
    const { oid, mode, skipWorktree, intentToAdd } = entry
    entries.set(path, { oid, mode, skipWorktree, intentToAdd })
  }
  return entries
}

async function askGit(
  place: GitPlace,
  paths: readonly string[],
): Promise<ReadonlyMap<string, StagedEntry>> {
  // `-t` writes S before an entry that has no file in the worktree by intent.
  const { stdout } = await runGit(place, ['ls-files', '-t', '--stage', '-z', '--', ...paths])
  const entries = new Map<string, StagedEntry>()
  for (const line of stdout.toString('utf8').split('\0')) {
    const match = /^(\S) (\d{6}) ([0-9a-f]+) 0\t(.+)$/s.exec(line)
    if (match === null) continue
    const [, tag = '', mode = '', oid = '', path = ''] = match
    entries.set(path, {
      oid: parseOid(oid),
      mode: mode as FileMode,
      skipWorktree: tag === 'S',
      intentToAdd: isEmptyBlob(oid),
    })
  }
  return entries
}

/** An intended addition is written with the id of the empty blob; for a truly empty file both mean the same here. */
function isEmptyBlob(oid: string): boolean {
  return (
    oid === 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391' ||
    oid === '473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813'
  )
}
