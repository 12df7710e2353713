import { constants, lstatSync, mkdirSync, type Stats } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type {
  ClientFileEntry,
  ClientFileFormat,
  ClientFileOutcome,
  ClientFilePlace,
} from '../../core/client-file.js'
import { Refusal } from '../../core/errors.js'
import { fixedLimits } from '../../core/limits.js'
import { mergeJsonc, readJsonc } from '../../formats/config/jsonc.js'
import { mergeToml, readToml } from '../../formats/config/toml.js'
import { randomHex } from '../random-name.js'

const formats = {
  jsonc: { merge: mergeJsonc, read: readJsonc },
  toml: { merge: mergeToml, read: readToml },
} as const satisfies Record<ClientFileFormat, unknown>

/** A file and what is to stand in it. */
export interface ClientFileChange {
  readonly place: ClientFilePlace
  readonly format: ClientFileFormat
  readonly entries: readonly ClientFileEntry[]
  /** Replace an entry of the same name that differs. */
  readonly force: boolean
}

/** The text of a file that holds these entries and nothing else. */
export function renderClientFile(
  format: ClientFileFormat,
  entries: readonly ClientFileEntry[],
): string {
  return formats[format].merge('', entries, false).text
}

/** What a file says now; undefined where there is none. Refuses with `INVALID_SETTINGS` as `writeClientFile` does. */
export async function readClientFile(
  place: ClientFilePlace,
  format: ClientFileFormat,
): Promise<unknown> {
  const text = (await readText(place))?.text
  return text === undefined ? undefined : sayingPath(place, () => formats[format].read(text))
}

/**
 * Puts entries into a file, the rest of which stays as it is; a directory or file that is not there is made. Refuses
 * with `INVALID_SETTINGS` a link, anything else that is no regular file, what cannot be parsed, and, unless forced,
 * to replace what differs. Readers see the file as it was or as it is then.
 */
export async function writeClientFile(change: ClientFileChange): Promise<ClientFileOutcome> {
  const { place, format, entries, force } = change
  const before = await readText(place)
  const { text, outcome } = sayingPath(place, () =>
    formats[format].merge(before?.text ?? '', entries, force),
  )
  if (outcome === 'unchanged') return outcome
  await replace(place, `${before?.mark ?? ''}${text}`, before)
  return before === undefined ? 'created' : outcome
}

interface Standing {
  /** Without the mark. */
  readonly text: string
  /** The byte order mark that editors of some systems put before a text; '' where there is none. */
  readonly mark: string
  readonly stat: Stats
}

async function readText(place: ClientFilePlace): Promise<Standing | undefined> {
  checkDirectories(place)
  const path = join(place.base, ...place.names)
  const file = await openRegular(path)
  if (file === undefined) return undefined
  try {
    const stat = await file.stat()
    if (!stat.isFile()) throw refused(path, 'it is no regular file')
    if (stat.size > fixedLimits.clientFileBytes) throw refused(path, 'it is too large')
    const whole = decode(path, await file.readFile())
    const text = whole.replace(/^\ufeff/, '')
    return { text, mark: whole.slice(0, whole.length - text.length), stat }
  } finally {
    await file.close()
  }
}

function checkDirectories({ base, names }: ClientFilePlace): void {
  for (const depth of names.slice(0, -1).keys()) {
    const directory = join(base, ...names.slice(0, depth + 1))
    const stat = lstatSync(directory, { throwIfNoEntry: false })
    if (stat?.isSymbolicLink()) throw refused(directory, 'it is a symbolic link')
    if (stat !== undefined && !stat.isDirectory()) throw refused(directory, 'it is no directory')
  }
}

async function openRegular(path: string): Promise<FileHandle | undefined> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
  try {
    return await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT') return undefined
    if (code === 'ELOOP') throw refused(path, 'it is a symbolic link')
    throw error
  }
}

function decode(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw refused(path, 'it is not UTF-8')
  }
}

/** Written beside its place and renamed into it, if nobody has changed it meanwhile. */
async function replace(
  { base, names }: ClientFilePlace,
  text: string,
  before: Standing | undefined,
): Promise<void> {
  const path = join(base, ...names)
  mkdirSync(dirname(path), { recursive: true })
  const fresh = `${path}.${randomHex(8)}`
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants
  const mode = before === undefined ? 0o644 : before.stat.mode & 0o777
  const file = await open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode)
  try {
    if (before !== undefined) await file.chmod(mode)
    await file.writeFile(text)
    await file.sync()
    checkUnchanged(path, before?.stat)
    await rename(fresh, path)
  } catch (error) {
    await rm(fresh, { force: true })
    throw error
  } finally {
    await file.close()
  }
}

function checkUnchanged(path: string, before: Stats | undefined): void {
  const now = lstatSync(path, { throwIfNoEntry: false })
  const isSame = now?.ino === before?.ino && now?.mtimeMs === before?.mtimeMs
  if (!isSame || now?.size !== before?.size) throw refused(path, 'somebody changed it just now')
}

function sayingPath<T>(place: ClientFilePlace, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'INVALID_SETTINGS') throw error
    const file = join(place.base, ...place.names)
    throw new Refusal(error.code, { file, ...error.data })
  }
}

function refused(file: string, problem: string): Refusal {
  return new Refusal('INVALID_SETTINGS', { file, problem, expected: 'a regular file' })
}
