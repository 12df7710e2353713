import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
} from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { posix } from 'node:path'
import { setImmediate as breathe } from 'node:timers/promises'
import { Refusal } from '../../core/errors.js'
import { fixedLimits } from '../../core/limits.js'
import { parseRepoPath, type RepoPath, splitPath } from '../../core/repo-path.js'
import { doneUnless, errnoOf } from './io-refusal.js'
import { openRegular } from './read-file.js'
import {
  lookAt,
  type OpenDirectory,
  openChild,
  openDirectory,
  pathOfDescriptor,
} from './safe-walk.js'

/** Why something is not there that was to be included. */
export type WhyLeftOut =
  | 'exists'
  | 'link_out'
  | 'special'
  | 'name'
  | 'cache'
  | 'limit'
  | 'gone'
  | 'failed'

/** What was brought into a directory so far. */
export interface Included {
  files: number
  links: number
  bytes: number
}

/** How much may be brought, and how long that may take. */
export type InclusionBounds = Readonly<
  Record<'includedFiles' | 'includedBytes' | 'includedDepth' | 'includeMs', number>
>

/** Two open directories, and what they are called below their roots. */
interface Pair {
  readonly from: OpenDirectory
  readonly to: OpenDirectory
  readonly path: string
}

type LeaveOut = (path: string, why: WhyLeftOut, error?: unknown) => void
type Each = (pair: Pair, name: string) => Promise<void>

const { COPYFILE_EXCL, COPYFILE_FICLONE } = constants
const setIds = 0o6000n
/** Between two looks at what else there is to do. */
const entriesAtOnce = 200

/**
 * Brings files of one directory into another, at the same paths. Nothing is written over, no link is followed on either
 * side, and nothing but regular files is read. Files are copied, without their blocks where the file system can. A link is made
 * again where it leads to something below the same root. In the place of `node_modules` comes a directory of links to the
 * packages, which costs no copy of thousands of files, whatever the file systems, and which a pattern `node_modules/` ignores
 * as it does the original; package managers replace such links and do not write through them. What they would write
 * through, files that lie beside the packages, is copied, and what tools keep there for themselves is left out.
 */
export class FileInclusion {
  readonly done: Included = { files: 0, links: 0, bytes: 0 }
  readonly #source: string
  readonly #target: string
  readonly #leaveOut: LeaveOut
  readonly #bounds: InclusionBounds
  readonly #deadlineMs: number
  #entries = 0
  #isFull = false

  /** `source` is a real path. `leaveOut` learns of the error where something failed. */
  constructor(
    source: string,
    target: string,
    leaveOut: LeaveOut,
    bounds: InclusionBounds = fixedLimits,
  ) {
    this.#source = source
    this.#target = target
    this.#leaveOut = leaveOut
    this.#bounds = bounds
    this.#deadlineMs = performance.now() + bounds.includeMs
  }

  /** Brings what stands at a path. Never throws: what cannot be brought is left out. */
  async include(path: RepoPath): Promise<void> {
    const { directory, name } = splitPath(path)
    await this.#guarded(path, async () => {
      const from = this.#opened(path, () => openDirectory(this.#source, directory, 'leave'))
      if (from === undefined) return
      try {
        const to = openDirectory(this.#target, directory, 'create')
        if (to === undefined) return this.#leaveOut(path, 'gone')
        try {
          await this.#entry({ from, to, path: directory }, name)
        } finally {
          to.close()
        }
      } finally {
        from.close()
      }
    })
  }

  /** What was opened to be read, if it is there and no link has come into its place. */
  #opened<T>(path: string, open: () => T | undefined): T | undefined {
    try {
      const opened = open()
      if (opened === undefined) this.#leaveOut(path, 'gone')
      return opened
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      this.#leaveOut(path, error.code === 'SYMLINK' ? 'link_out' : 'special')
      return undefined
    }
  }

  async #guarded(path: string, work: () => Promise<void> | void): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (['ENOSPC', 'EDQUOT', 'EMFILE'].includes(errnoOf(error) ?? '')) this.#isFull = true
      const isInTheWay = error instanceof Refusal && ['SYMLINK', 'NOT_REGULAR'].includes(error.code)
      if (isInTheWay) this.#leaveOut(path, 'exists')
      else this.#leaveOut(path, this.#isFull ? 'limit' : 'failed', error)
    }
  }

  async #entry(pair: Pair, name: string): Promise<void> {
    const path = joined(pair.path, name)
    await this.#guarded(path, async () => {
      if (!isPlainPath(path)) return this.#leaveOut(path, 'name')
      if (await this.#isOver()) return this.#leaveOut(path, 'limit')
      const stat = lookAt(pair.from, name)
      if (stat === undefined) return this.#leaveOut(path, 'gone')
      if (stat.isSymbolicLink()) return this.#link(pair, name)
      if (stat.isFile()) return this.#file(pair, name)
      if (!stat.isDirectory()) return this.#leaveOut(path, 'special')
      if (name === 'node_modules') return this.#directory(pair, name, this.#package)
      if (holdsPackages(pair.path)) return this.#package(pair, name)
      return this.#directory(pair, name, this.#entry)
    })
  }

  async #directory(pair: Pair, name: string, each: Each): Promise<void> {
    const path = joined(pair.path, name)
    if (path.split('/').length > this.#bounds.includedDepth) return this.#leaveOut(path, 'limit')
    const from = this.#opened(path, () => openChild(pair.from, name, 'leave', path))
    if (from === undefined) return
    try {
      const to = openChild(pair.to, name, 'create', path)
      if (to === undefined) return this.#leaveOut(path, 'gone')
      try {
        const names = readdirSync(from.self)
        for (const one of names) {
          if (this.#isFull) return this.#leaveOut(path, 'limit')
          await each.call(this, { from, to, path }, one)
        }
      } finally {
        to.close()
      }
    } finally {
      from.close()
    }
  }

  /** Something in `node_modules`, or in a scope of it: a package becomes a link. */
  async #package(pair: Pair, name: string): Promise<void> {
    const path = joined(pair.path, name)
    await this.#guarded(path, async () => {
      if (!lookAt(pair.from, name)?.isDirectory()) return this.#entry(pair, name)
      if (!isPlainPath(path)) return this.#leaveOut(path, 'name')
      if (await this.#isOver()) return this.#leaveOut(path, 'limit')
      if (name === '.bin') return this.#directory(pair, name, this.#entry)
      if (name.startsWith('@')) return this.#directory(pair, name, this.#package)
      if (name.startsWith('.') && name !== '.pnpm') return this.#leaveOut(path, 'cache')
      this.#makeLink(pair, name, posix.join(this.#source, path))
    })
  }

  async #file({ from, to, path: above }: Pair, name: string): Promise<void> {
    const path = joined(above, name)
    const opened = this.#opened(path, () => openRegular(from.at(name), path as RepoPath))
    if (opened === undefined) return
    try {
      const stat = fstatSync(opened, { bigint: true })
      if (!isPlainFile(stat)) return this.#leaveOut(path, 'special')
      const bytes = Number(stat.size)
      if (this.done.bytes + bytes > this.#bounds.includedBytes) return this.#leaveOut(path, 'limit')
      const source = pathOfDescriptor(opened, from.at(name))
      await copyFile(source, to.at(name), COPYFILE_EXCL | COPYFILE_FICLONE)
      this.done.files += 1
      this.done.bytes += bytes
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST') throw error
      this.#leaveOut(path, 'exists')
    } finally {
      closeSync(opened)
    }
  }

  #link(pair: Pair, name: string): void {
    const path = joined(pair.path, name)
    const target = readlinkSync(pair.from.at(name))
    const leadsTo = posix.join(pair.path, target)
    const isOut = target.startsWith('/') || isWinding(target) || !isPlainPath(leadsTo)
    if (isOut) this.#leaveOut(path, 'link_out')
    else this.#makeLink(pair, name, target)
  }

  #makeLink({ to, path }: Pair, name: string, target: string): void {
    if (doneUnless(['EEXIST'], () => symlinkSync(target, to.at(name)))) this.done.links += 1
    else this.#leaveOut(joined(path, name), 'exists')
  }

  /** Others have their turn now and then. */
  async #isOver(): Promise<boolean> {
    this.#entries += 1
    if (this.#entries % entriesAtOnce === 0) await breathe()
    this.#isFull ||=
      this.done.files + this.done.links >= this.#bounds.includedFiles ||
      performance.now() > this.#deadlineMs
    return this.#isFull
  }
}

/** True for `node_modules` and for a scope in it. */
function holdsPackages(path: string): boolean {
  return /(?:^|\/)node_modules(?:\/@[^/]+)?$/.test(path)
}

/** One whose copy gives nobody our rights. */
function isPlainFile(stat: BigIntStats): boolean {
  return stat.isFile() && (stat.mode & setIds) === 0n
}

/** True where the target of a link goes up again: behind a name that is a link itself, `..` leads elsewhere than it reads. */
function isWinding(target: string): boolean {
  const names = target.split('/').filter(name => name !== '.' && name !== '')
  const down = names.findIndex(name => name !== '..')
  return down >= 0 && names.includes('..', down)
}

function isPlainPath(path: string): boolean {
  try {
    return parseRepoPath(path) === path
  } catch {
    return false
  }
}

function joined(directory: string, name: string): string {
  return directory === '' ? name : `${directory}/${name}`
}
