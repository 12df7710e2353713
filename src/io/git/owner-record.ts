import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { kill, pid } from 'node:process'
import { z } from 'zod'

const ownerSchema = z.object({
  pid: z.int().positive(),
  start: z.string(),
  boot: z.string(),
  machine: z.string(),
  namespace: z.string(),
  nonce: z.string().regex(/^[0-9a-f]{16}$/),
})

/** A process that works, or worked, in a git directory, as its record says it. */
export interface Owner extends Readonly<z.infer<typeof ownerSchema>> {
  /** The record. */
  readonly path: string
}

/**
 * The record of this process in a git directory. Locks are hard links to it, so the inode of a lock
 * names its holder.
 */
export interface OwnerRecord extends Owner {
  /** Writes the record again where somebody has cleaned up. The git directory must exist. */
  restore(): void
}

const recordName = /^owner-\d+-[0-9a-f]{16}$/
const maxRecordBytes = 1_024
const bootIdPath = '/proc/sys/kernel/random/boot_id'
const machineIdPath = '/etc/machine-id'

/** The directory of ours inside a git directory. */
export function ownDirectory(gitDir: string): string {
  return join(gitDir, 'editlatch')
}

/**
 * Writes the record of this process. `durable` (the default): it survives a power cut, so that a lock
 * which does can still be told to be ours.
 */
export function openOwnerRecord(gitDir: string, { durable = true } = {}): OwnerRecord {
  const owner = {
    pid,
    start: startTime('self') ?? '',
    boot: readSystem(bootIdPath),
    machine: readSystem(machineIdPath),
    namespace: pidNamespace(),
    nonce: randomBytes(8).toString('hex'),
  }
  const directory = ownDirectory(gitDir)
  const path = join(directory, `owner-${pid}-${owner.nonce}`)
  const restore = (): void => {
    makeOwnDirectory(directory)
    writeRecord(path, `${JSON.stringify(owner)}\n`, durable)
    if (durable) syncPath(directory)
  }
  try {
    restore()
  } catch (error) {
    // Of a process that lives nobody else would take it away.
    rmSync(path, { force: true })
    throw error
  }
  return { ...owner, path, restore }
}

/** Takes the record away. Locks must be freed before: without it nobody can tell whose they were. */
export function closeOwnerRecord({ path }: OwnerRecord): void {
  rmSync(path, { force: true })
}

/** Whose record stands at a path; undefined for anything that is not one whole record. */
export function readOwner(path: string): Owner | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (!stat?.isFile() || stat.size > maxRecordBytes) return undefined
  try {
    return { ...ownerSchema.parse(JSON.parse(readFileSync(path, 'utf8'))), path }
  } catch {
    return undefined
  }
}

/** All whose record lies in a git directory. */
export function listOwners(gitDir: string): readonly Owner[] {
  return listOwnerRecords(gitDir).flatMap(path => readOwner(path) ?? [])
}

/** The paths of all records in a git directory, also of such that were cut off. */
export function listOwnerRecords(gitDir: string): readonly string[] {
  const directory = ownDirectory(gitDir)
  return readNames(directory)
    .filter(name => recordName.test(name))
    .map(name => join(directory, name))
}

/** Those of them whose process has ended. */
export function findDeadOwners(gitDir: string): readonly Owner[] {
  return listOwners(gitDir).filter(owner => !isAlive(owner))
}

/**
 * False only where it is proven that the process has ended: an earlier boot of this machine, no such
 * pid, a zombie, or a pid that was given to a later process. What cannot be looked up counts as alive:
 * another machine (a shared directory), another pid namespace (a container beside us). Without /proc
 * only a missing pid is a proof.
 */
export function isAlive(owner: Owner): boolean {
  if (owner.machine !== readSystem(machineIdPath)) return true
  if (owner.boot !== readSystem(bootIdPath)) return false
  if (owner.namespace !== pidNamespace()) return true
  if (!pidExists(owner.pid)) return false
  const start = startTime(owner.pid)
  return start === undefined || owner.start === '' || start === owner.start
}

/** False for a process of another machine or container: nothing here can tell whether it lives. */
export function canBeSeen(owner: Owner): boolean {
  return owner.machine === readSystem(machineIdPath) && owner.namespace === pidNamespace()
}

/** The files of ours in a git directory: records and locks. */
export function listOwnFiles(gitDir: string): readonly string[] {
  const directory = ownDirectory(gitDir)
  return readNames(directory).map(name => join(directory, name))
}

// Through one descriptor: a record that is not finished may be taken away by who finds it.
function writeRecord(path: string, text: string, durable: boolean): void {
  const file = openSync(path, 'wx')
  try {
    writeFileSync(file, text)
    if (durable) fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

function makeOwnDirectory(directory: string): void {
  try {
    mkdirSync(directory)
  } catch (error) {
    // A link to elsewhere would be no directory of ours.
    if (!lstatSync(directory, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}

// Signal 0 asks without sending. EPERM is the answer of a living process of another user.
function pidExists(other: number): boolean {
  try {
    return kill(other, 0)
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}

/**
 * When a process started, in clock ticks since boot: field 22 of proc_pid_stat(5), counted after the
 * command name, which may hold spaces and parentheses. 'ended' for a zombie; undefined where unknown.
 */
function startTime(which: number | 'self'): string | undefined {
  const stat = readSystem(`/proc/${which}/stat`)
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields[0] === 'Z' || fields[0] === 'X' ? 'ended' : fields[19]
}

function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return ''
  }
}

function readSystem(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return ''
  }
}

function readNames(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

function syncPath(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
