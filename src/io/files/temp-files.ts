import { existsSync, mkdirSync, readdirSync, statSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { RepoPath } from '../../core/repo-path.js'
import { randomHex } from '../random-name.js'
import { errnoOf, unlessErrno, withRefusals } from './io-refusal.js'
import { inDirectoryOf, type OpenDirectory } from './safe-walk.js'

// `editlatch-<hex>` in the directory of ours, `.<name>.editlatch-<hex>` beside a target.
const tempName = /^(?:\..+\.)?editlatch-[0-9a-f]{16}$/
// With what is added, a name of this many bytes stays below the 255 that file systems allow.
const nameBytes = 200

/**
 * Runs `act` with a maker of names for private files that can be renamed and linked to names in
 * `directory`: in `tempDir` where that is on the same file system, else beside the target. Whatever
 * stands at these names afterwards is removed, also on an error.
 */
export function withTempNames<T>(
  directory: OpenDirectory,
  name: string,
  tempDir: string,
  act: (freshName: () => string) => T,
): T {
  const beside = (): string => directory.at(`.${shorten(name)}.editlatch-${randomHex(16)}`)
  if (deviceOf(tempDir) !== directory.stat().dev) return thenRemove(beside, act)
  try {
    return thenRemove(() => join(tempDir, `editlatch-${randomHex(16)}`), act)
  } catch (error) {
    // Two mounts of one device look the same and still cannot be linked across.
    if (errnoOf(error) !== 'EXDEV') throw error
    return thenRemove(beside, act)
  }
}

/** A visible name beside the target, for a file of somebody else that found its place taken. */
export function rescueName(name: string): string {
  return `${shorten(name)}.editlatch-rescued-${randomHex(16)}`
}

/** Removes what a killed process left in `tempDir`. Only under the lock of its worktree. */
export function ensureNoTempFiles(tempDir: string): void {
  withRefusals(() => removeTempFiles(tempDir))
}

/** Removes what a killed process left beside a file. Only under the lock of its worktree. */
export function ensureNoTempFilesBeside(root: string, path: RepoPath): void {
  withRefusals(() =>
    inDirectoryOf(root, path, 'leave', directory => removeTempFiles(directory.self)),
  )
}

function thenRemove<T>(makeName: () => string, act: (freshName: () => string) => T): T {
  const given: string[] = []
  const freshName = (): string => {
    const path = makeName()
    given.push(path)
    return path
  }
  try {
    return act(freshName)
  } finally {
    for (const path of given) removeTempFile(path)
  }
}

/** Mostly it has got its place by now: a look costs less than an error. */
function removeTempFile(path: string): void {
  if (existsSync(path)) unlessErrno(['ENOENT'], () => unlinkSync(path))
}

function removeTempFiles(directory: string): void {
  for (const name of unlessErrno(['ENOENT'], () => readdirSync(directory)) ?? []) {
    if (tempName.test(name)) unlessErrno(['ENOENT'], () => unlinkSync(join(directory, name)))
  }
}

function deviceOf(tempDir: string): bigint {
  const stat = statSync(tempDir, { bigint: true, throwIfNoEntry: false })
  if (stat !== undefined) return stat.dev
  mkdirSync(tempDir, { recursive: true })
  return statSync(tempDir, { bigint: true }).dev
}

function shorten(name: string): string {
  let short = ''
  let bytes = 0
  for (const character of name) {
    bytes += Buffer.byteLength(character)
    if (bytes > nameBytes) break
    short += character
  }
  return short
}
