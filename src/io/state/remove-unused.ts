import { lstat, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Which files are in use. */
export interface Unused {
  /** How the names of all of them begin. */
  readonly prefix: string
  /** The one that stays whatever its age. */
  readonly except: string
  /** Milliseconds without a write. */
  readonly unusedMs: number
}

/** Removes the files of a folder that nobody has written to for long. What cannot be removed stays. */
export async function removeUnused(
  folder: string,
  { prefix, except, unusedMs }: Unused,
): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names) {
    const path = join(folder, name)
    if (!name.startsWith(prefix) || path === except) continue
    try {
      const stat = await lstat(path)
      if (stat.isFile() && Date.now() - stat.mtimeMs > unusedMs) await rm(path)
    } catch {
      // Another process was faster, or may and we may not.
    }
  }
}
