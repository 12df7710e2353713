import { Refusal } from '../../core/errors.js'

const codes = new Map<string, 'BAD_PATH' | 'DISK_FULL' | 'IO_FAULT'>([
  ['ENOSPC', 'DISK_FULL'],
  ['EDQUOT', 'DISK_FULL'],
  ['EROFS', 'IO_FAULT'],
  ['EIO', 'IO_FAULT'],
  ['EMFILE', 'IO_FAULT'],
  ['ENFILE', 'IO_FAULT'],
  ['EACCES', 'IO_FAULT'],
  ['EPERM', 'IO_FAULT'],
  // Of a path that is normal in itself, but not below a root as deep as this one.
  ['ENAMETOOLONG', 'BAD_PATH'],
])

/** What a full, failing or forbidding disk, or a path too long for it, means to who asked. Any other error is thrown as it is. */
export function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  const code = errnoOf(error)
  const refusal = codes.get(code ?? '')
  if (refusal === undefined) throw error
  return new Refusal(refusal, refusal === 'BAD_PATH' ? { problem: 'too long' } : { errno: code })
}

/** Runs `act`; faults of the disk come out as refusals. */
export function withRefusals<T>(act: () => T): T {
  try {
    return act()
  } catch (error) {
    throw toRefusal(error)
  }
}

/** The system's name of an error, such as ENOENT. */
export function errnoOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}

/** What `act` answers, or undefined where it fails with one of the given errors. */
export function unlessErrno<T>(errnos: readonly string[], act: () => T): T | undefined {
  try {
    return act()
  } catch (error) {
    if (errnos.includes(errnoOf(error) ?? '')) return undefined
    throw error
  }
}

/** Does `act`; false where it fails with one of the given errors. */
export function doneUnless(errnos: readonly string[], act: () => void): boolean {
  const isDone = unlessErrno(errnos, () => {
    act()
    return true
  })
  return isDone ?? false
}
