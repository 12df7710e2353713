import { randomBytes } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { type FileHandle, link, lstat, mkdir, open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Refusal } from '../../core/errors.js'

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants
const maxTokenBytes = 1_000

/**
 * The server's token, made at the first start. `UNSAFE_TOKEN_FILE` where anybody else could read or
 * change it, or where something else stands in its place.
 */
export async function readOrCreateToken(path: string, uid: number): Promise<string> {
  const directory = dirname(path)
  await mkdir(directory, { recursive: true, mode: 0o700 })
  checkDirectory(await lstat(directory), uid)
  return (await readToken(path, uid)) ?? (await createToken(path, uid))
}

async function readToken(path: string, uid: number): Promise<string | undefined> {
  let file: FileHandle
  try {
    // Without O_NONBLOCK a FIFO in the place of the file would hold us forever.
    file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    if (hasCode(error, 'ELOOP')) throw unsafe('it is a symbolic link')
    throw error
  }
  try {
    checkFile(await file.stat(), uid)
    const token = (await file.readFile('utf8')).trim()
    if (/^[A-Za-z0-9_-]{32,}$/.test(token)) return token
    throw unsafe('it does not hold a token of at least 32 letters, digits, _ or -')
  } finally {
    await file.close()
  }
}

/** Written beside its place and linked into it, so that nobody ever reads half a token. */
async function createToken(path: string, uid: number): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const written = `${path}.${randomBytes(6).toString('hex')}`
  const file = await open(written, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
  try {
    await file.writeFile(`${token}\n`)
    await file.sync()
    await link(written, path)
    return token
  } catch (error) {
    const theirs = hasCode(error, 'EEXIST') ? await readToken(path, uid) : undefined
    if (theirs === undefined) throw error
    return theirs
  } finally {
    await file.close()
    await rm(written, { force: true })
  }
}

function checkDirectory(stats: Stats, uid: number): void {
  if (!stats.isDirectory()) throw unsafe('its directory is not a directory')
  if (stats.uid !== uid) throw unsafe('its directory belongs to another user')
  if ((stats.mode & 0o022) !== 0) throw unsafe('others can write in its directory')
}

function checkFile(stats: Stats, uid: number): void {
  if (!stats.isFile()) throw unsafe('it is not a plain file')
  if (stats.uid !== uid) throw unsafe('it belongs to another user')
  if ((stats.mode & 0o077) !== 0) throw unsafe('others can read or write it')
  if (stats.size > maxTokenBytes) throw unsafe('it is too long')
}

function unsafe(problem: string): Refusal {
  return new Refusal('UNSAFE_TOKEN_FILE', { problem })
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
