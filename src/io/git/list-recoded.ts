import { type GitPlace, runGit } from './run-git.js'

const attribute = 'working-tree-encoding'

/** What a list of attributes holds that gives files another encoding than their blobs. */
export const recodingMark = Buffer.from(attribute)

/** Those of some files that stand in the worktree in another encoding than their blobs. */
export async function listRecoded(
  place: GitPlace,
  names: readonly string[],
): Promise<readonly string[]> {
  if (names.length === 0) return []
  const input = names.map(name => `${name}\0`).join('')
  const { stdout } = await runGit(place, ['check-attr', '--stdin', '-z', attribute], { input })
  // `name NUL attribute NUL value NUL`
  const fields = stdout.toString('utf8').split('\0')
  const recoded: string[] = []
  for (let at = 0; at + 2 < fields.length; at += 3) {
    if (!none.has(fields[at + 2] ?? '')) recoded.push(fields[at] ?? '')
  }
  return recoded
}

const none: ReadonlySet<string> = new Set(['unspecified', 'unset', 'set'])
