import { statSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { kill } from 'node:process'
import { readRegular } from './read-regular.js'
import { GitFailed, type GitPlace, runGit } from './run-git.js'

/** As long as git itself believes in the lock of a `git gc`. */
const believedMs = 12 * 60 * 60 * 1_000

/**
 * True while a `git gc` runs, told from its lock in the way git does. With `--prune=now` it removes every loose
 * object that no ref led to when it looked, also such as were written since.
 */
export function isCollecting(commonDir: string): boolean {
  const path = join(commonDir, 'gc.pid')
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat === undefined || Date.now() - stat.mtimeMs > believedMs) return false
  try {
    const [pid = '', host = ''] = readRegular(path, 1_024)?.toString('utf8').trim().split(' ') ?? []
    return host !== hostname() || isRunning(Number(pid))
  } catch {
    return false
  }
}

/** Copies objects into a pack, which a `git gc` that runs already does not touch. False where it took one first. */
export async function packObjects(
  place: GitPlace,
  objectsDir: string,
  oids: readonly string[],
): Promise<boolean> {
  const input = oids.map(oid => `${oid}\n`).join('')
  const args = ['pack-objects', '--quiet', '--window=0', join(objectsDir, 'pack', 'pack')]
  try {
    await runGit(place, args, { input })
    return true
  } catch (error) {
    if (error instanceof GitFailed) return false
    throw error
  }
}

function isRunning(pid: number): boolean {
  try {
    return pid > 0 && kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
