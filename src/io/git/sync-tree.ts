import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fixedLimits } from '../../core/limits.js'
import type { GitPlace } from './run-git.js'
import { spawnBounded } from './spawn-bounded.js'
import { syncIfThere } from './sync-paths.js'

const outputBytes = 64 * 1024
const atOnce = 64

/** Makes all that was just written below a directory survive a power cut: its file system at once, else file by file. */
export async function syncTree({ env }: Pick<GitPlace, 'env'>, root: string): Promise<void> {
  const { exitCode } = await spawnBounded({
    command: 'sync',
    args: ['-f', root],
    env,
    cwd: root,
    timeoutMs: fixedLimits.checkoutMs,
    outputBytes,
  })
  if (exitCode !== 0) await syncEach(root)
}

async function syncEach(root: string): Promise<void> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter(entry => entry.isFile() || entry.isDirectory())
    .map(entry => join(entry.parentPath, entry.name))
  for (let at = 0; at < paths.length; at += atOnce) await syncIfThere(paths.slice(at, at + atOnce))
  await syncIfThere([root])
}
