import { open } from 'node:fs/promises'

/** Makes what files hold and which names directories have survive a power cut; all at once. */
export async function syncPaths(paths: readonly string[]): Promise<void> {
  await Promise.all(paths.map(syncPath))
}

async function syncPath(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
