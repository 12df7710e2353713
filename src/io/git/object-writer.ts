import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  utimesSync,
  writeSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { deflate, deflateSync, inflateSync } from 'node:zlib'
import { Refusal } from '../../core/errors.js'
import type { NewObject } from './edit-tree.js'
import { objectHeader } from './hash-object.js'
import { readRegular } from './read-regular.js'
import { type Sharing, sharedMode } from './shared-mode.js'
import { isMissing, syncIfThere } from './sync-paths.js'

/** `power`: what was acknowledged survives a power cut. `process`: it survives the end of any process. */
export type Durability = 'power' | 'process'

/** Where objects are written, and who else may read and write there. */
export interface ObjectsPlace {
  readonly objectsDir: string
  readonly sharing: Sharing
}

/** Above this the work is done off the event loop. */
const inlineBytes = 256 * 1024
const compression = { level: 1 } as const
const deflateLater = promisify(deflate)

/**
 * Writes objects as loose ones, in git's own way: a temporary file in the fan-out directory, renamed to its id.
 * An object that is there already is looked into and made young again, so that a prune leaves it.
 * With `power` every file, then every directory that got one, is synced, all at once. Answers how many are new.
 */
export async function writeObjects(
  { objectsDir, sharing }: ObjectsPlace,
  objects: readonly NewObject[],
  durability: Durability,
): Promise<number> {
  const fresh = objects.filter(object => !freshen(objectsDir, object))
  const written = await allDone(
    fresh.map(object =>
      whilePruned(() => writeObject({ objectsDir, sharing }, object, durability)),
    ),
  )
  if (durability === 'power') await syncDirectories(objectsDir, written)
  return fresh.length
}

/** What all of them came to; where one fails, only when the others have ended too: none may write behind a refusal. */
export async function allDone<T>(works: readonly Promise<T>[]): Promise<readonly T[]> {
  await Promise.allSettled(works)
  return Promise.all(works)
}

/** True while the object can be read; a cheap look at the loose file. */
export function isLoose(objectsDir: string, oid: string): boolean {
  return (lstatSync(loosePath(objectsDir, oid), { throwIfNoEntry: false })?.size ?? 0) > 0
}

function loosePath(objectsDir: string, oid: string): string {
  return join(objectsDir, oid.slice(0, 2), oid.slice(2))
}

/** `git gc --prune=now` beside us takes temporary files and empty directories from under our hands: then once more. */
async function whilePruned<T>(write: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await write()
    } catch (error) {
      if (!isMissing(error) || attempt === maxAttempts) throw error
    }
  }
}

const maxAttempts = 10

interface Written {
  readonly path: string
  readonly newDirectory: boolean
}

async function writeObject(
  { objectsDir, sharing }: ObjectsPlace,
  object: NewObject,
  durability: Durability,
): Promise<Written> {
  const path = loosePath(objectsDir, object.oid)
  const newDirectory = makeDirectory(dirname(path), sharing)
  const temporary = join(dirname(path), `tmp_obj_${randomBytes(8).toString('hex')}`)
  const plain = Buffer.concat([objectHeader(object.type, object.body.length), object.body])
  const packed =
    plain.length > inlineBytes
      ? await deflateLater(plain, compression)
      : deflateSync(plain, compression)
  try {
    if (durability === 'power' || packed.length > inlineBytes)
      await writeSynced(temporary, packed, durability)
    else writeInline(temporary, packed)
    share(temporary, sharing)
    renameSync(temporary, path)
  } catch (error) {
    // Git leaves such a file behind on a full disk; ours would keep the disk full.
    rmSync(temporary, { force: true })
    throw error
  }
  return { path, newDirectory }
}

function writeInline(path: string, bytes: Uint8Array): void {
  const fd = openSync(path, 'wx', 0o444)
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at)
  } finally {
    closeSync(fd)
  }
}

async function writeSynced(path: string, bytes: Uint8Array, durability: Durability): Promise<void> {
  const file = await open(path, 'wx', 0o444)
  try {
    await file.writeFile(bytes)
    if (durability === 'power') await file.sync()
  } finally {
    await file.close()
  }
}

/** True where the fan-out directory is new. A link in its place would lead out of the repository. */
function makeDirectory(path: string, sharing: Sharing): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat?.isDirectory()) return false
  if (stat !== undefined)
    throw new Refusal('UNSUPPORTED_REPOSITORY', { problem: 'objects holds a link' })
  const isNew = mkdirSync(path, { recursive: true }) !== undefined
  if (isNew) share(path, sharing)
  return isNew
}

/** Gives a new file or directory to those whom `core.sharedRepository` names. */
function share(path: string, sharing: Sharing): void {
  if (sharing === undefined) return
  const { mode } = lstatSync(path)
  const wanted = sharedMode(mode, sharing)
  if (wanted !== (mode & 0o7777)) chmodSync(path, wanted)
}

async function syncDirectories(objectsDir: string, written: readonly Written[]): Promise<void> {
  const directories = new Set(written.map(({ path }) => dirname(path)))
  if (written.some(({ newDirectory }) => newDirectory)) directories.add(objectsDir)
  await syncIfThere([...directories])
}

/** Makes a branch that was just moved survive a power cut: git syncs the file, but never the directories that name it. */
export async function syncRef(commonDir: string, ref: string): Promise<void> {
  const directories: string[] = []
  for (let path = dirname(ref); path !== '.'; path = dirname(path))
    directories.push(join(commonDir, path))
  await syncIfThere(directories)
}

/** True where a sound loose copy stands; it is then as young as a new one. */
function freshen(objectsDir: string, object: NewObject): boolean {
  const path = loosePath(objectsDir, object.oid)
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return false
  if (!holds(path, object)) {
    // Cut off by a crash: an empty or torn file under the right name. It is replaced.
    rmSync(path, { force: true })
    return false
  }
  const now = new Date()
  try {
    utimesSync(path, now, now)
    return true
  } catch (error) {
    if (isMissing(error) || isSomebodys(error)) return false
    throw error
  }
}

/** Of a file that belongs to another user of a shared repository only a new copy can be made young. */
function isSomebodys(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPERM'
}

function holds(path: string, object: NewObject): boolean {
  try {
    const head = objectHeader(object.type, object.body.length)
    const bytes = head.length + object.body.length
    // Nothing packs to more than this.
    const packed = readRegular(path, bytes + (bytes >> 6) + 1_024)
    if (packed === undefined) return false
    const plain = inflateSync(packed, { maxOutputLength: bytes + 1 })
    return (
      plain.subarray(0, head.length).equals(head) && plain.subarray(head.length).equals(object.body)
    )
  } catch {
    return false
  }
}
