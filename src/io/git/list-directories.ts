import { type GitPlace, runGit } from './run-git.js'

/** Names between two turns of others: a few milliseconds. */
const turnNames = 4_096

const slash = 47
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Every directory of a worktree that holds a file which git tracks or would add, owners before what they hold; names
 * that are no UTF-8 are left out. It gives way while it reads.
 */
export async function listDirectories(place: GitPlace): Promise<readonly string[]> {
  const listing = ['ls-files', '--cached', '--others', '--exclude-standard', '-z']
  const { stdout } = await runGit(place, listing)
  const directories = new Set<string>()
  let last: Buffer = Buffer.alloc(0)
  let names = 0
  for (let at = 0, end = stdout.indexOf(0); end >= 0; at = end + 1, end = stdout.indexOf(0, at)) {
    const name = stdout.subarray(at, end)
    const directory = name.subarray(0, Math.max(0, name.lastIndexOf(slash)))
    // Names come sorted: most lie beside the one before.
    if (!directory.equals(last)) addWithOwners(directories, directory)
    last = directory
    names += 1
    if (names % turnNames === 0) await new Promise(resolve => setImmediate(resolve))
  }
  return [...directories]
}

function addWithOwners(directories: Set<string>, bytes: Buffer): void {
  let name: string
  try {
    name = strict.decode(bytes)
  } catch {
    return
  }
  const fresh: string[] = []
  while (name !== '' && !directories.has(name)) {
    fresh.push(name)
    name = name.slice(0, Math.max(0, name.lastIndexOf('/')))
  }
  for (const one of fresh.reverse()) directories.add(one)
}
