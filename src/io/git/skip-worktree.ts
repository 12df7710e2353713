import { closeSync } from 'node:fs'
import { fixedLimits } from '../../core/limits.js'
import { isSkipped, readName } from './index-entry.js'
import { type IndexLayout, identifyIndex, isIdentity, openIndex, readWhole } from './index-file.js'
import { type GitPlace, runGit } from './run-git.js'

/** The name of an index entry, one character a byte: names need not be UTF-8. */
export type ByteName = string

/** Whether the file of an entry must be in the worktree. */
export type Presence = 'needed' | 'not_needed'

/** Fills a private index with the files of HEAD and says of each that it need not be in the worktree. */
export async function readTreeWithoutFiles(place: GitPlace, index: string): Promise<void> {
  const env = { GIT_INDEX_FILE: index }
  const timeoutMs = fixedLimits.checkoutMs
  await runGit(place, ['read-tree', '--reset', 'HEAD'], { env, timeoutMs })
  const { stdout } = await runGit(place, ['ls-files', '-z'], { env, timeoutMs })
  await runGit(place, presenceCommand('not_needed'), { env, input: stdout, timeoutMs })
}

/** Says of entries of a private index whether their files must be in the worktree. */
export async function setPresence(
  place: GitPlace,
  index: string,
  names: readonly ByteName[],
  presence: Presence,
): Promise<void> {
  if (names.length === 0) return
  const env = { GIT_INDEX_FILE: index }
  const options = { env, input: nameList(names), timeoutMs: fixedLimits.checkoutMs }
  await runGit(place, presenceCommand(presence), options)
}

/** The entries whose files need not be in the worktree, in the order of the index. */
export async function listSkipped(
  place: GitPlace,
  layout: IndexLayout,
): Promise<readonly ByteName[]> {
  // Version 2 has no room for the bit.
  if (layout.searchable) return layout.version === 3 ? scanSkipped(layout) : []
  const { stdout } = await runGit(place, ['ls-files', '-t', '-z'])
  const lines = stdout.toString('latin1').split('\0')
  return lines.flatMap(line => (line.startsWith('S ') ? [line.slice(2)] : []))
}

/** Writes the files of these entries of a private index below a directory of ours: git would follow a link that somebody puts in a worktree meanwhile. */
export async function checkOutEntries(
  place: GitPlace,
  index: string,
  names: readonly ByteName[],
  directory: string,
): Promise<void> {
  // Names come on the input: a git whose starter has ended finds its end and stops.
  await runGit(place, ['checkout-index', '-z', '--stdin', `--prefix=${directory}/`], {
    env: { GIT_INDEX_FILE: index },
    input: nameList(names),
    timeoutMs: fixedLimits.checkoutMs,
  })
}

/** Enters the stat data of unchanged files into a private index, and answers the entries whose files are changed or gone. */
export async function refreshIndex(place: GitPlace, index: string): Promise<readonly ByteName[]> {
  const env = { GIT_INDEX_FILE: index }
  const options = { env, timeoutMs: fixedLimits.checkoutMs }
  await runGit(place, ['update-index', '-q', '--refresh'], { ...options, exitCodes: [1] })
  const { stdout } = await runGit(place, ['diff-files', '-z', '--name-only'], options)
  return stdout.toString('latin1').split('\0').slice(0, -1)
}

/** A name as text: what is no UTF-8 in it is shown as well as it can be. */
export function nameText(name: ByteName): string {
  return Buffer.from(name, 'latin1').toString('utf8')
}

/** The other way round. */
export function byteName(path: string): ByteName {
  return Buffer.from(path, 'utf8').toString('latin1')
}

function presenceCommand(presence: Presence): readonly string[] {
  const flag = presence === 'needed' ? '--no-skip-worktree' : '--skip-worktree'
  return ['update-index', '-z', flag, '--stdin']
}

function nameList(names: readonly ByteName[]): Buffer {
  return Buffer.from(names.map(name => `${name}\0`).join(''), 'latin1')
}

function scanSkipped({ path, identity, format, offsets }: IndexLayout): readonly ByteName[] {
  const file = openIndex(path)
  if (file === undefined || format === undefined) return []
  try {
    const now = identifyIndex(file)
    if (!isIdentity(identity, now)) throw new Error('the index has changed')
    const bytes = readWhole(file, now)
    const entries = [...offsets.subarray(0, -1)].filter(at => isSkipped(bytes, at, format))
    return entries.map(at => readName(bytes, at, format).toString('latin1'))
  } finally {
    closeSync(file)
  }
}
