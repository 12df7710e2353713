import { existsSync, statSync, utimesSync } from 'node:fs'
import type { FileMode } from '../../core/blob.js'
import { type ObjectFormat, type Oid, zeroOid } from '../../core/oid.js'
import { copyIndex } from './index-copy.js'
import { type GitPlace, runGit } from './run-git.js'
import { byteName, setPresence } from './skip-worktree.js'

/** What the index shall hold for a path; without an entry the path is removed. */
export interface IndexChange {
  readonly path: string
  readonly entry?: { readonly oid: Oid; readonly mode: FileMode }
}

/** What git is to make of which index. */
export interface IndexUpdate {
  readonly indexPath: string
  /** The private file that the new index is written to. */
  readonly output: string
  readonly changes: readonly IndexChange[]
  /** Paths whose stat data git shall take from the files, which costs it a second run. */
  readonly restat: readonly string[]
  /** Paths whose files need not be in the worktree: git forgets it of an entry that it is given anew. */
  readonly absent: readonly string[]
  readonly format: ObjectFormat
}

/**
 * Lets git make the new index in a private file: for what cannot be patched in place (entries that come and go,
 * version 4, split and sparse indexes). Ids are given, not computed, so that what stands on the disk by now does not
 * matter.
 */
export async function updateIndex(place: GitPlace, update: IndexUpdate): Promise<void> {
  const { indexPath, output, changes, restat, absent, format } = update
  if (existsSync(indexPath)) copyIndex(indexPath, output)
  const env = { GIT_INDEX_FILE: output }
  const lines = removedFirst(changes).map(change => indexInfo(change, zeroOid(format)))
  await runGit(place, ['update-index', '-z', '--index-info'], { env, input: lines.join('') })
  await setPresence(place, output, absent.map(byteName), 'not_needed')
  if (restat.length > 0) {
    const input = restat.map(path => `${path}\0`).join('')
    await runGit(place, ['update-index', '-z', '--stdin'], { env, input })
  }
  keepTime(indexPath, output)
}

/** A file and a directory of one name exclude each other, so what goes must go first. */
function removedFirst(changes: readonly IndexChange[]): readonly IndexChange[] {
  return [...changes.filter(change => !change.entry), ...changes.filter(change => change.entry)]
}

function indexInfo({ path, entry }: IndexChange, zero: Oid): string {
  return entry === undefined ? `0 ${zero}\t${path}\0` : `${entry.mode} ${entry.oid}\t${path}\0`
}

/** An entry as young as its index is compared by content: an older time of the index is always safe. */
function keepTime(indexPath: string, privatePath: string): void {
  const old = statSync(indexPath, { throwIfNoEntry: false })
  if (old !== undefined) utimesSync(privatePath, old.atime, Math.floor(old.mtimeMs) / 1000)
}
