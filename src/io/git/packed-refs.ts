import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { GitPlace } from './run-git.js'

/**
 * Tells one packed-refs file from the next. A git that runs long compares inode, size and whole seconds only (2.39, as
 * it is mostly built): of a file that was replaced twice in one second, with its inode used again, it goes on to tell
 * the old refs, and moves refs that no longer stand there.
 */
export function packedRefsVersion({ env }: GitPlace): string {
  const path = join(env.GIT_COMMON_DIR ?? '', 'packed-refs')
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stat === undefined ? '' : `${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}`
}
