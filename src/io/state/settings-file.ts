import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs'
import { Refusal } from '../../core/errors.js'
import { fixedLimits } from '../../core/limits.js'

/** Which files of settings are read. */
export interface SettingsFileRules {
  /** Whose file it may be, besides root's. */
  readonly owners: readonly number[]
  /** Go where a link points. */
  readonly followLinks: boolean
}

/**
 * The bytes of a file of settings; undefined where there is none. Refuses with `INVALID_SETTINGS` what is no regular
 * file, what is too large, and what somebody else has written or could.
 */
export function readSettingsFile(
  path: string,
  { owners, followLinks }: SettingsFileRules,
): Uint8Array | undefined {
  const descriptor = openSettings(path, followLinks)
  if (descriptor === undefined) return undefined
  try {
    const stats = fstatSync(descriptor)
    checkFile(path, stats, owners)
    return readAll(path, descriptor)
  } finally {
    closeSync(descriptor)
  }
}

function openSettings(path: string, followLinks: boolean): number | undefined {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
  try {
    // Without O_NONBLOCK a FIFO in the place of the file would hold us forever.
    return openSync(path, O_RDONLY | O_NONBLOCK | (followLinks ? 0 : O_NOFOLLOW))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    if (code === 'ELOOP') throw unsafe(path, 'it is a symbolic link')
    if (code === 'ENXIO') throw unsafe(path, 'it is no regular file')
    if (code === 'EACCES') throw unsafe(path, 'it cannot be read')
    throw error
  }
}

function checkFile(path: string, stats: Stats, owners: readonly number[]): void {
  if (!stats.isFile()) throw unsafe(path, 'it is no regular file')
  if (![0, ...owners].includes(stats.uid)) throw unsafe(path, 'it belongs to another user')
  if ((stats.mode & 0o002) !== 0) throw unsafe(path, 'everybody can write it')
}

function readAll(path: string, descriptor: number): Uint8Array {
  const { settingsBytes } = fixedLimits
  const bytes = Buffer.alloc(settingsBytes + 1)
  let done = 0
  for (let count = -1; count !== 0 && done < bytes.length; done += count) {
    count = readSync(descriptor, bytes, done, bytes.length - done, done)
  }
  if (done > settingsBytes) throw unsafe(path, `it is larger than ${settingsBytes} bytes`)
  return bytes.subarray(0, done)
}

function unsafe(file: string, problem: string): Refusal {
  const expected = 'a regular file of your own that others cannot write'
  return new Refusal('INVALID_SETTINGS', { file, problem, expected })
}
