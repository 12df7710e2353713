import {
  type BigIntStats,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Refusal } from '../../core/errors.js'
import { fixedLimits } from '../../core/limits.js'
import { GitFailed, type GitPlace } from './run-git.js'
import { spawnBounded } from './spawn-bounded.js'

/** A file that a repack of ours had open, or named after itself, before it was finished. */
export interface UnfinishedPack {
  readonly path: string
  readonly inode: string
}

export interface RepackOptions {
  readonly signal: AbortSignal
  /** Told each time there is one more; who was cut off removes them with `removeUnfinished`. */
  readonly onUnfinished: (files: readonly UnfinishedPack[]) => void
}

/**
 * No setting of the repository counts. Nothing is thrown away: `--geometric` takes every loose object, whether or not
 * a ref leads to it, and of the packs the small ones; what is removed afterwards is what the new pack holds.
 */
const repack = [
  ...['-c', 'pack.threads=1', '-c', 'pack.packSizeLimit=0', '-c', 'core.fsync=pack,pack-metadata'],
  ...['repack', '--geometric=2', '-d', '-q', '-n'],
  ...['--no-write-bitmap-index', '--no-write-midx', '--no-pack-kept-objects', '--no-delta-islands'],
  `--window-memory=${fixedLimits.repackWindowBytes}`,
]

/**
 * Packs the loose objects and the small packs, with what time others leave. Not by simple-git, which could end git
 * alone: the `pack-objects` below it would go on. Refuses with `TIMEOUT` or, when told to stop, `CANCELLED`; throws
 * `GitFailed`. What it had not finished is removed: git leaves it behind, also on a full disk.
 */
export async function repackGeometrically(
  place: GitPlace,
  objectsDir: string,
  { signal, onUnfinished }: RepackOptions,
): Promise<void> {
  const args = [...place.flags, ...repack]
  const packDir = join(objectsDir, 'pack')
  const watch = new UnfinishedWatch(packDir, onUnfinished)
  const request = {
    command: place.git,
    args,
    env: place.env,
    cwd: place.cwd,
    timeoutMs: fixedLimits.repackMs,
    outputBytes: fixedLimits.gitOutputBytes,
  }
  try {
    const background = {
      signal,
      onStart: (pid: number) => watch.start(pid),
      onEnd: () => watch.look(),
    }
    const answer = await spawnBounded(request, { background })
    if (answer.problem === 'aborted') throw new Refusal('CANCELLED')
    if (answer.problem === 'timeout') throw new Refusal('TIMEOUT', { command: 'repack' })
    if (answer.exitCode !== 0) throw new GitFailed(['repack'], answer.exitCode, answer.stderr)
  } finally {
    removeUnfinished(packDir, watch.stop())
  }
}

/** Removes what a repack of ours left, where it is still the same file. */
export function removeUnfinished(packDir: string, files: readonly UnfinishedPack[]): void {
  for (const { path, inode } of files) {
    const isThere = dirname(path) === packDir && isTemporary(path)
    if (isThere && String(look(path)?.ino) === inode) rmSync(path, { force: true })
  }
}

/** Git's own names for what it has not finished: of `pack-objects`, and of `repack` which adds its pid. */
function isTemporary(path: string): boolean {
  return /^(?:tmp_(?:pack|idx|rev|mtimes)_\w+|\.tmp-\d+-pack-[0-9a-f]+\.\w+)$/.test(basename(path))
}

const lookMs = 100

/** Notes which unfinished files are those of one repack: they are open in its children, or bear its pid. */
class UnfinishedWatch {
  readonly #packDir: string
  readonly #tell: RepackOptions['onUnfinished']
  readonly #found = new Map<string, UnfinishedPack>()
  #timer: NodeJS.Timeout | undefined
  #pid = 0

  constructor(packDir: string, tell: RepackOptions['onUnfinished']) {
    this.#packDir = packDir
    this.#tell = tell
  }

  start(pid: number): void {
    this.#pid = pid
    this.#timer = setInterval(() => this.look(), lookMs)
    this.#timer.unref()
  }

  stop(): readonly UnfinishedPack[] {
    clearInterval(this.#timer)
    this.#note(renamedBy(this.#packDir, this.#pid))
    return [...this.#found.values()]
  }

  look(): void {
    const open = [this.#pid, ...childrenOf(this.#pid)].flatMap(openFiles)
    // Git names its place in its own way, perhaps through our stand-in.
    const names = open.filter(isTemporary).map(path => join(this.#packDir, basename(path)))
    this.#note([...names, ...renamedBy(this.#packDir, this.#pid)])
  }

  #note(paths: readonly string[]): void {
    const before = this.#found.size
    for (const path of paths) {
      const stat = look(path)
      if (stat !== undefined) this.#found.set(path, { path, inode: String(stat.ino) })
    }
    if (this.#found.size > before) this.#tell([...this.#found.values()])
  }
}

function renamedBy(packDir: string, pid: number): readonly string[] {
  const names = unlessGone(() => readdirSync(packDir)) ?? []
  return names.filter(name => name.startsWith(`.tmp-${pid}-pack-`)).map(name => join(packDir, name))
}

function childrenOf(pid: number): readonly number[] {
  const text = unlessGone(() => readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1')) ?? ''
  return text.split(' ').filter(Boolean).map(Number)
}

function openFiles(pid: number): readonly string[] {
  const directory = `/proc/${pid}/fd`
  const names = unlessGone(() => readdirSync(directory)) ?? []
  return names.flatMap(name => unlessGone(() => readlinkSync(join(directory, name))) ?? [])
}

/** Where there is no /proc, or the process has ended, nothing is known. */
function unlessGone<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

function look(path: string): BigIntStats | undefined {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false })
}
