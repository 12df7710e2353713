import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'

/** What open(2) says of a path where no regular file stands. */
const noFile = ['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', 'ENXIO', 'ENODEV']

/**
 * The bytes of a regular file of a git directory. Undefined where there is none, where something else stands (a link is
 * not followed, a pipe not waited for) and where it is larger than `maxBytes`.
 */
export function readRegular(path: string, maxBytes: number): Buffer | undefined {
  const file = openRegular(path)
  if (file === undefined) return undefined
  try {
    const stat = fstatSync(file)
    if (!stat.isFile() || stat.size > maxBytes) return undefined
    const bytes = Buffer.allocUnsafe(stat.size)
    let done = 0
    while (done < bytes.length) {
      const count = readSync(file, bytes, done, bytes.length - done, done)
      if (count === 0) break
      done += count
    }
    return bytes.subarray(0, done)
  } finally {
    closeSync(file)
  }
}

/** A descriptor of what stands at a path, which may still be no regular file; undefined for nothing and for a link. */
export function openRegular(path: string): number | undefined {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
  try {
    return openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (noFile.includes(code)) return undefined
    throw error
  }
}
