import {
  type BigIntStats,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  futimesSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'

/** A private copy of an index for git to work on (`GIT_INDEX_FILE`), with its mode and time. */
export function copyIndex(indexPath: string, privatePath: string): void {
  writeIndexCopy(privatePath, readFileSync(indexPath), indexPath)
}

/**
 * Writes a private file that may take the place of the index: same permissions, and never a later
 * modification time. Git trusts the stat data of an entry only if it is older than the index, so a
 * later time would hide what a person changed in the same moment in which git last looked
 * (racy-git.txt of git's technical documentation). Nothing is left behind on an error. Answers its stat data.
 */
export function writeIndexCopy(
  privatePath: string,
  bytes: Uint8Array,
  indexPath: string,
): BigIntStats {
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants
  const { mode, mtimeNs } = statSync(indexPath, { bigint: true })
  const file = openSync(privatePath, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600)
  try {
    writeFileSync(file, bytes)
    fchmodSync(file, Number(mode & 0o777n))
    return setTimeNotLater(file, mtimeNs)
  } catch (error) {
    rmSync(privatePath, { force: true })
    throw error
  } finally {
    closeSync(file)
  }
}

// Node takes seconds as a double, which cannot hold nanoseconds: step down until the result fits.
function setTimeNotLater(file: number, mtimeNs: bigint): BigIntStats {
  for (let microseconds = mtimeNs / 1_000n; ; microseconds -= 1n) {
    const seconds = Number(microseconds) / 1_000_000
    futimesSync(file, seconds, seconds)
    const stat = fstatSync(file, { bigint: true })
    if (stat.mtimeNs <= mtimeNs) return stat
  }
}
