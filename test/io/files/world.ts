import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { Refusal } from '#src/core/errors.js'
import { parseRepoPath, type RepoPath } from '#src/core/repo-path.js'

/** A worktree, what lies beside it, and a directory for private files. */
export interface World {
  readonly root: string
  readonly outside: string
  readonly tempDir: string
}

const made: string[] = []
afterAll(() => {
  for (const directory of made) rmSync(directory, { recursive: true, force: true })
})

export function makeDirectory(base = tmpdir()): string {
  const directory = mkdtempSync(join(base, 'files-'))
  made.push(directory)
  return directory
}

export function makeWorld(): World {
  const base = makeDirectory()
  const world = {
    root: join(base, 'wt'),
    outside: join(base, 'wt-evil'),
    tempDir: join(base, 'tmp'),
  }
  for (const directory of Object.values(world)) mkdirSync(directory)
  return world
}

export const repoPath = (path: string): RepoPath => parseRepoPath(path)

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

/** The code of the refusal that `act` throws; any other error is thrown on. */
export function codeOf(act: () => unknown): string | undefined {
  try {
    act()
    return undefined
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
}

/** Every file below a directory with its text; other things with a slash, an at or a question mark, as ls -F does. */
export function listing(directory: string): Record<string, string> {
  const found: Record<string, string> = {}
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) {
      found[`${entry.name}/`] = ''
      for (const [name, text] of Object.entries(listing(path)))
        found[`${entry.name}/${name}`] = text
    } else if (entry.isFile()) found[entry.name] = readFileSync(path, 'utf8')
    else found[`${entry.name}${entry.isSymbolicLink() ? '@' : '?'}`] = ''
  }
  return found
}

/** Runs a program of the system; throws where it fails or is missing. */
export function run(program: string, ...args: readonly string[]): void {
  execFileSync(program, args, { stdio: 'ignore' })
}

/** A place on another device than the temporary directory; undefined where there is none. */
export function otherDevice(): string | undefined {
  const shm = statSync('/dev/shm', { throwIfNoEntry: false })
  return shm === undefined || shm.dev === statSync(tmpdir()).dev ? undefined : '/dev/shm'
}
