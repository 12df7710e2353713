import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { ownDirectory } from '../../io/git/owner-record.js'
import { readRegular } from '../../io/git/read-regular.js'

const recordSchema = z.object({
  state: z.enum(['running', 'done', 'failed', 'stopped']),
  /** Milliseconds since 1970 when it came to this. */
  at_ms: z.int().nonnegative(),
  /** Loose objects before it, and of those it left. */
  loose: z.int().nonnegative(),
  problem: z.string().max(2_000).optional(),
  /** What a git that was cut off leaves. */
  unfinished: z.array(z.object({ path: z.string(), inode: z.string() })).max(100),
})

/** What became of the last packing of a repository, whichever process did it. */
export type MaintenanceRecord = Readonly<z.infer<typeof recordSchema>>

const maxRecordBytes = 64 * 1024

/** The record; undefined where nothing was ever packed, or something else stands there. */
export function readMaintenanceRecord(commonDir: string): MaintenanceRecord | undefined {
  const text = readRegular(recordPath(commonDir), maxRecordBytes)?.toString('utf8')
  try {
    return text === undefined ? undefined : recordSchema.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** Only for the holder of the maintenance lock. */
export function writeMaintenanceRecord(commonDir: string, record: MaintenanceRecord): void {
  const path = recordPath(commonDir)
  const fresh = `${path}.new`
  // Not through what somebody may have put there.
  rmSync(fresh, { force: true })
  writeFileSync(fresh, `${JSON.stringify(record)}\n`, { flag: 'wx' })
  renameSync(fresh, path)
}

function recordPath(commonDir: string): string {
  return join(ownDirectory(commonDir), 'maintenance')
}
