import {
  type BigIntStats,
  linkSync,
  lstatSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { kill, pid } from 'node:process'
import { ownDirectory } from './owner-record.js'
import { readRegular } from './read-regular.js'
import { GitFailed, type GitPlace, runGit } from './run-git.js'

/** As long as git itself believes in the lock of a `git gc`. */
const believedMs = 12 * 60 * 60 * 1_000
/** After the pid and the host, where git reads no further. */
const ourMark = 'editlatch'

/**
 * True while a `git gc` runs, told from its lock in the way git does. With `--prune=now` it removes every loose
 * object that no ref led to when it looked, also such as were written since. A bare `git prune` takes no lock and
 * cannot be told: one with `--expire=now` that looked before a branch moved takes that batch's objects.
 */
export function isCollecting(commonDir: string): boolean {
  const path = join(commonDir, 'gc.pid')
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat === undefined || Date.now() - stat.mtimeMs > believedMs) return false
  try {
    const text = readRegular(path, 1_024)?.toString('utf8').trim() ?? ''
    const [holder = '', host = '', mark = ''] = text.split(' ')
    const isRecord = /^\d+$/.test(holder) && host !== ''
    if (!isRecord || mark === ourMark) return false
    return host !== hostname() || isRunning(Number(holder))
  } catch {
    return false
  }
}

/**
 * Keeps every `git gc` out, by the lock that each of them takes; git says who holds it, and that of `gc --auto` goes on
 * without. Answers how to let it go; undefined where a `git gc` runs. The lock of a process that has ended holds nobody up.
 */
export function holdCollection(commonDir: string): (() => void) | undefined {
  if (isCollecting(commonDir)) return undefined
  const path = join(commonDir, 'gc.pid')
  const fresh = join(ownDirectory(commonDir), `gc-${pid}`)
  writeFileSync(fresh, `${pid} ${hostname()} ${ourMark}\n`)
  const held = lookAt(fresh)
  if (lookAt(path) === undefined && isLinked(fresh, path)) rmSync(fresh)
  else if (isCollecting(commonDir)) {
    rmSync(fresh)
    return undefined
  } else renameSync(fresh, path)
  return () => {
    const now = lookAt(path)
    const isOurs = now?.ino === held?.ino && now?.mtimeNs === held?.mtimeNs
    if (isOurs) rmSync(path, { force: true })
  }
}

function isLinked(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch {
    return false
  }
}

function lookAt(path: string): BigIntStats | undefined {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false })
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

function isRunning(holder: number): boolean {
  try {
    return holder > 0 && kill(holder, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
