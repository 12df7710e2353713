import { closeSync, fsyncSync, lstatSync, openSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { fixedLimits } from '../../core/limits.js'
import { parseOid } from '../../core/oid.js'
import { parseRepoPath, type RepoPath } from '../../core/repo-path.js'
import { unlessErrno } from '../../io/files/io-refusal.js'
import type { NewObject } from '../../io/git/edit-tree.js'
import type { Durability } from '../../io/git/object-writer.js'
import { readRegular } from '../../io/git/read-regular.js'
import { syncPaths } from '../../io/git/sync-paths.js'

/** What is about to become of one path in the worktree. */
export interface IntentPath {
  readonly path: RepoPath
  /** SHA-256 of the file as it stood on disk; null where there was none. */
  readonly disk: string | null
  /** What the path holds afterwards; null where it is removed. */
  readonly after: { readonly oid: string; readonly mode: string } | null
  /** True where the file shall not be in the worktree: only the index tells of it. */
  readonly absent?: boolean | undefined
}

/** What a batch is about to do, written before it does it, so that a dead process's work can be finished or dropped. */
export interface Intent {
  readonly ref: string
  readonly old: string
  readonly new: string
  readonly paths: readonly IntentPath[]
  /**
   * What the batch adds to the repository, as far as `intentObjectBytes` reach. A prune that looked before the branch
   * moved may take it while nobody is there to write it again. Ids are as they were written down: whoever uses a body
   * hashes it first.
   */
  readonly objects: readonly NewObject[]
}

const entrySchema = z.object({ oid: z.string(), mode: z.string() })
/** Its bodies follow the line, one after the other. */
const objectSchema = z.object({
  oid: z.string().transform(parseOid),
  type: z.enum(['blob', 'tree', 'commit']),
  bytes: z.int().min(0),
})
const intentSchema = z.object({
  ref: z.string(),
  old: z.string(),
  new: z.string(),
  paths: z.array(
    z.object({
      path: z.string().transform(parseRepoPath),
      disk: z.string().nullable(),
      after: entrySchema.nullable(),
      absent: z.boolean().optional(),
    }),
  ),
  objects: z.array(objectSchema).default([]),
})

/**
 * Writes the intent, where none stands; under `power` it is on the disk when this returns. Only for the holder of
 * index.lock. A part of one is as good as none, so that it is written in its place.
 */
export async function writeIntent(
  workDir: string,
  intent: Intent,
  durability: Durability,
): Promise<void> {
  const file = openSync(intentPath(workDir), 'wx', 0o600)
  try {
    // A disk that is nearly full may take a part of a single write without an error.
    writeFileSync(file, renderIntent(intent))
    if (durability === 'power') fsyncSync(file)
  } finally {
    closeSync(file)
  }
  if (durability === 'power') await syncPaths([workDir])
}

function renderIntent({ objects, ...intent }: Intent): Buffer {
  const kept = fittingObjects(objects)
  const told = kept.map(({ oid, type, body }) => ({ oid, type, bytes: body.length }))
  const line = Buffer.from(`${JSON.stringify({ ...intent, objects: told })}\n`)
  return Buffer.concat([line, ...kept.map(({ body }) => body)])
}

/** A snapshot may add gigabytes; what does not fit is left out, the other objects are kept all the same. */
function fittingObjects(objects: readonly NewObject[]): readonly NewObject[] {
  let left: number = fixedLimits.intentObjectBytes
  return objects.filter(({ body }) => {
    if (body.length > left) return false
    left -= body.length
    return true
  })
}

/** True where an intent stands, whole or cut off. A fault of the disk is no proof that there is none. */
export function hasIntent(workDir: string): boolean {
  return lstatSync(intentPath(workDir), { throwIfNoEntry: false }) !== undefined
}

/** The intent that stands there; undefined where none does. One that was cut off counts as none: nothing followed it. */
export function readIntent(workDir: string): Intent | undefined {
  // A fault of the disk or too many open files are no proof that there is none.
  const bytes = readRegular(intentPath(workDir), intentBytes)
  if (bytes === undefined) return undefined
  const lineEnd = bytes.indexOf(0x0a)
  const line = lineEnd < 0 ? bytes : bytes.subarray(0, lineEnd)
  try {
    const intent = intentSchema.parse(JSON.parse(line.toString('utf8')))
    return { ...intent, objects: readBodies(intent.objects, bytes.subarray(line.length + 1)) }
  } catch {
    return undefined
  }
}

function readBodies(told: readonly z.infer<typeof objectSchema>[], bodies: Buffer): NewObject[] {
  let at = 0
  return told.map(({ oid, type, bytes }) => {
    const body = bodies.subarray(at, at + bytes)
    at += bytes
    return { oid, type, body }
  })
}

const intentBytes = 256 * 1024 * 1024

export function removeIntent(workDir: string): void {
  unlessErrno(['ENOENT'], () => unlinkSync(intentPath(workDir)))
}

export function intentPath(workDir: string): string {
  return join(workDir, 'intent')
}
