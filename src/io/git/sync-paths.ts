import { constants } from 'node:fs'
import { open } from 'node:fs/promises'

/** Makes what files hold and which names directories have survive a power cut; all at once. */
export async function syncPaths(paths: readonly string[]): Promise<void> {
  await Promise.all(paths.map(syncPath))
}

/** The same, for what git may remove or pack meanwhile. */
export async function syncIfThere(paths: readonly string[]): Promise<void> {
  await Promise.all(
    paths.map(async path => {
      try {
        await syncPath(path)
      } catch (error) {
        if (!isMissing(error)) throw error
      }
    }),
  )
}

/** True for the error of a path at which nothing stands. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

async function syncPath(path: string): Promise<void> {
  // Never waits for whoever put a pipe there.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
