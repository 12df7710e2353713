import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { lstatSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { openRepository } from '#src/io/git/open-repository.js'
import { runGit } from '#src/io/git/run-git.js'
import { buildHostileRepository, takeCanaries } from '../../fixtures-repos/hostile.mjs'
import { type TestRepository, testRepository } from '../support/repository.js'

export type Hostile = ReturnType<typeof buildHostileRepository>

/** The hostile repository in a directory of its own, and what tells whether it has got anywhere. */
export interface HostileWorld {
  /** Holds the repository, its programs and what lies outside of it. */
  readonly directory: string
  readonly hostile: Hostile
  readonly repository: TestRepository
  /** The planted programs that ran since the last look. */
  canaries(): readonly string[]
  /** One hash over everything outside of the repository. */
  outside(): string
}

const made: string[] = []
afterAll(() => {
  for (const place of made.splice(0)) rmSync(place, { recursive: true, force: true })
})

/** A directory for one test file, removed afterwards. */
export function makePlace(name: string): string {
  const place = mkdtempSync(join(tmpdir(), `${name}-`))
  made.push(place)
  return place
}

/** Builds it as it is registered after its owner was told: without the objects of somebody else. */
export function makeHostile(): HostileWorld {
  const world = buildHostile()
  rmSync(world.hostile.alternates)
  return world
}

/** Git in a worktree of the hostile repository, as the gateway starts it: nothing of the repository runs. */
export async function gitInside(
  { hostile }: HostileWorld,
  worktree: string,
): Promise<(...args: readonly string[]) => Promise<string>> {
  const options = { host: process.env, stateDir: makePlace('state'), trustConfig: false }
  const repository = await openRepository(hostile.path, options)
  const gitDir = readFileSync(join(worktree, '.git'), 'utf8').trim().slice('gitdir: '.length)
  const place = repository.place(gitDir, worktree)
  return async (...args) => (await runGit(place, args)).stdout.toString('utf8')
}

/** Builds it with everything that it has. */
export function buildHostile(): HostileWorld {
  const directory = join(makePlace('hostile'), 'world')
  const hostile = buildHostileRepository(directory)
  return {
    directory,
    hostile,
    repository: testRepository(hostile.path),
    canaries: () => takeCanaries(hostile),
    outside: () => digestOf(hostile.outside),
  }
}

/** One hash over names, kinds and bytes below a directory. */
export function digestOf(directory: string): string {
  const hash = createHash('sha256')
  const add = (path: string): void => {
    const stat = lstatSync(path)
    hash.update(`${path.slice(directory.length)} ${stat.mode}\n`)
    if (stat.isSymbolicLink()) hash.update(readlinkSync(path))
    else if (stat.isFile()) hash.update(readFileSync(path))
    else if (stat.isDirectory()) for (const name of readdirSync(path).sort()) add(join(path, name))
  }
  add(directory)
  return hash.digest('hex')
}

/** Puts a directory in the state of a copy; cp knows pipes and links. */
export function copyOver(copy: string, directory: string): void {
  rmSync(directory, { recursive: true, force: true })
  const { status, stderr } = spawnSync('cp', ['-a', copy, directory], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
}

/** The processes, this one apart, that work in a directory or were told of it. */
export function processesAt(directory: string): readonly string[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap(pid => {
      const told = ['cmdline', 'environ'].map(file => readOrNothing(`/proc/${pid}/${file}`))
      const isThere =
        told.some(text => text.includes(directory)) || cwdOf(pid).startsWith(directory)
      return isThere ? [`${pid} ${told[0]?.replaceAll('\0', ' ')}`] : []
    })
}

function readOrNothing(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

function cwdOf(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return ''
  }
}
