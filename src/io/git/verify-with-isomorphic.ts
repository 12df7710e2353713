import { lstat, open, readdir, readFile, readlink, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { inflate } from 'node:zlib'
import type { readCommit } from 'isomorphic-git'
import { fixedLimits } from '../../core/limits.js'
import { type ObjectFormat, parseOid } from '../../core/oid.js'
import type { CommitFields } from './commit-object.js'
import { fileMode } from './commit-tree.js'
import type { SecondReader } from './second-reader.js'

/**
 * The second, independent implementation: isomorphic-git, which shares no code with git. It reads loose objects and
 * packs itself; a `SecondReader` of it never writes. Undefined, with the reason, for what it cannot read: sha256, and
 * packs beyond the limit, which it takes into memory whole.
 */
export async function openIsomorphicReader(
  commonDir: string,
  format: ObjectFormat,
): Promise<{ readonly reader: SecondReader } | { readonly why: string }> {
  if (format !== 'sha1') return { why: `isomorphic-git does not read ${format} repositories` }
  const { packBytes, indexBytes } = await packSizes(join(commonDir, 'objects', 'pack'))
  const { verifiedPackBytes, verifiedPackIndexBytes } = fixedLimits
  if (packBytes > verifiedPackBytes || indexBytes > verifiedPackIndexBytes) {
    return { why: `packs of ${packBytes} bytes are too large to be read whole` }
  }
  const { readCommit, readObject, readTree } = await import('isomorphic-git')
  const source = { fs: readOnlyFileSystem, gitdir: commonDir, cache: {} }
  return {
    reader: {
      name: 'isomorphic-git',
      bytes: async oid => {
        const { object } = await readObject({ ...source, oid, format: 'content' })
        if (!(object instanceof Uint8Array)) throw new Error('no bytes were read')
        return object
      },
      commit: async oid => toFields((await readCommit({ ...source, oid })).commit),
      tree: async oid =>
        (await readTree({ ...source, oid })).tree.map(entry => ({
          name: entry.path,
          oid: parseOid(entry.oid),
          kind: entry.type,
          mode: fileMode(entry.mode) ?? '',
        })),
    },
  }
}

type IsomorphicCommit = Awaited<ReturnType<typeof readCommit>>['commit']

function toFields(commit: IsomorphicCommit): CommitFields {
  const { tree, parent, author, committer, message } = commit
  return {
    tree: parseOid(tree),
    parents: parent.map(parseOid),
    author: { name: author.name, email: author.email, seconds: author.timestamp },
    committer: { name: committer.name, email: committer.email, seconds: committer.timestamp },
    message,
  }
}

async function packSizes(
  directory: string,
): Promise<{ readonly packBytes: number; readonly indexBytes: number }> {
  let packBytes = 0
  let indexBytes = 0
  for (const name of await readdir(directory).catch(() => [])) {
    const size = (await lstat(join(directory, name)).catch(() => undefined))?.size ?? 0
    if (name.endsWith('.pack')) packBytes += size
    if (name.endsWith('.idx')) indexBytes += size
  }
  return { packBytes, indexBytes }
}

const inflateLater = promisify(inflate)

/** What is no regular file could hang a reader, and a loose object could be small and inflate without end. */
async function readBounded(path: string, options?: unknown): Promise<Buffer | string> {
  const seen = await lstat(path)
  if (!seen.isFile() || seen.size > fixedLimits.verifiedPackBytes) throw new Error('not readable')
  const bytes = await readFile(path)
  if (/\/objects\/[0-9a-f]{2}\/[0-9a-f]{38}$/.test(path)) {
    await inflateLater(bytes, { maxOutputLength: fixedLimits.verifiedObjectBytes })
  }
  const isText = options === 'utf8' || (typeof options === 'object' && Object(options).encoding)
  return isText ? bytes.toString('utf8') : bytes
}

const refuse = (): Promise<never> => Promise.reject(new Error('a reader does not write'))

/** isomorphic-git ignores git's locks and writes in place, so it gets nothing to write with. */
const readOnlyFileSystem = {
  promises: {
    readFile: readBounded,
    readdir,
    stat,
    lstat,
    readlink,
    open,
    writeFile: refuse,
    mkdir: refuse,
    rmdir: refuse,
    unlink: refuse,
    symlink: refuse,
    chmod: refuse,
  },
}
