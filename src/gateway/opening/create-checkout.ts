import { randomBytes } from 'node:crypto'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  realpathSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { AnchorScheme } from '../../core/anchor-scheme.js'
import { Refusal } from '../../core/errors.js'
import { fixedLimits } from '../../core/limits.js'
import type { Oid } from '../../core/oid.js'
import { unlessErrno } from '../../io/files/io-refusal.js'
import { isOurs } from '../../io/git/effective-user.js'
import { withRecoveryLock } from '../../io/git/index-lock.js'
import type { Durability } from '../../io/git/object-writer.js'
import { closeOwnerRecord, openOwnerRecord } from '../../io/git/owner-record.js'
import type { RefUpdate } from '../../io/git/ref-writer.js'
import { GitFailed, type GitPlace, runGit } from '../../io/git/run-git.js'
import { syncPaths } from '../../io/git/sync-paths.js'
import type { FilesMode } from '../checkout/absent-files.js'
import type { CheckoutPlace } from '../checkout/checkout.js'
import { findCheckout } from '../checkout/find-checkout.js'
import { anchorsPath, keepAnchors } from '../checkout/worktree-view.js'
import { markUnfinished } from '../landing/finish-checkout.js'
import type { ServedRepository } from '../repository/served-repository.js'
import type { WorktreeRefs } from '../repository/worktree-refs.js'

const lockReason = 'editlatch: an agent works here'

export interface NewCheckout {
  readonly served: ServedRepository
  readonly refs: WorktreeRefs
  /** Where the files shall lie; outside the checkout. */
  readonly path: string
  readonly base: Oid
  readonly durability: Durability
  readonly files: FilesMode
  /** How the anchors of its view are made; undefined for a plain one. */
  readonly anchors: AnchorScheme | undefined
}

/**
 * Makes the linked worktree of an agent: branch, registration and our refs, under a lock (git makes one at a time).
 * Its files come later, by `finishCheckout`. A branch of ours that has lost its worktree gets a new one.
 */
export async function createCheckout(wanted: NewCheckout): Promise<CheckoutPlace> {
  const { served, path } = wanted
  const { commonDir } = served.repository
  makeDirectories(commonDir)
  makeRoom(dirname(path))
  await assertCheckable(wanted)
  const owner = openOwnerRecord(commonDir)
  try {
    const place = await served.creations.run(() =>
      withRecoveryLock(commonDir, owner, () => register(wanted)),
    )
    if (wanted.durability === 'power') await syncRegistration(place)
    return place
  } finally {
    closeOwnerRecord(owner)
  }
}

/** Git would make them in our stand-in of an untrusted repository. */
function makeDirectories(commonDir: string): void {
  for (const name of ['worktrees', 'logs', 'editlatch']) {
    mkdirSync(join(commonDir, name), { recursive: true })
  }
}

/** The directory that worktrees lie in. Where it was there before it must be our own: whoever has made it could lead us elsewhere. */
function makeRoom(directory: string): void {
  mkdirSync(directory, { recursive: true })
  const stat = lstatSync(directory)
  if (!stat.isDirectory()) throw new Refusal('SYMLINK', { path: directory })
  if (!isOurs(stat.uid)) throw new Refusal('FOREIGN_OWNER', { directory })
}

/**
 * Refuses what git could not check out, before anything is made: a tree of more names than can be listed (a few small
 * trees can hold ten thousand million files) with `TOO_LARGE`, names such as `.git`, and blobs that a partial clone lacks.
 */
async function assertCheckable({ served, refs, base, files }: NewCheckout): Promise<void> {
  const { main, commonDir, isPartial } = served.repository
  const commit = (await served.resolveRef(refs.branch)) ?? base
  await runGit(main, ['ls-tree', '-r', '-z', '--name-only', '--full-tree', commit])
  if (isPartial && files === 'all') await assertFetched(main, commit)
  // Nothing is written, but a lock is taken, which must not be that of the person's own checkout.
  const index = join(commonDir, 'editlatch', `check-${randomBytes(6).toString('hex')}`)
  try {
    await runGit(main, ['read-tree', '-n', commit], { env: { GIT_INDEX_FILE: index } })
  } catch (error) {
    const name = error instanceof GitFailed && /invalid path '(.*)'/.exec(error.stderr)?.[1]
    if (typeof name !== 'string') throw error
    const problem = `git does not check out a file called ${JSON.stringify(name)}`
    throw new Refusal('UNSUPPORTED_REPOSITORY', { problem })
  }
}

async function assertFetched(main: GitPlace, commit: Oid): Promise<void> {
  const listing = ['rev-list', '--objects', '--no-walk', '--missing=print', commit]
  const { stdout } = await runGit(main, listing)
  const missing = stdout.toString('latin1').match(/^\?/gm)?.length ?? 0
  if (missing === 0) return
  const problem = `this partial clone lacks ${missing} files of ${commit}: open it without files, or fetch them with your own git`
  throw new Refusal('OBJECT_MISSING', { missing, problem })
}

async function register(wanted: NewCheckout): Promise<CheckoutPlace> {
  const { served, refs, path } = wanted
  const { commonDir } = served.repository
  if (lstatSync(path, { throwIfNoEntry: false })) throw new Refusal('PATH_EXISTS', { path })
  const branchHead = await served.resolveRef(refs.branch)
  const ours = (await served.resolveRef(refs.base)) !== undefined
  // A branch of this name that we did not make is somebody's own.
  if (branchHead !== undefined && !ours)
    throw new Refusal('WORKTREE_EXISTS', { branch: refs.branch, ours: false })
  const branch = refs.branch.slice('refs/heads/'.length)
  await besideRemovals(commonDir, path, () =>
    branchHead === undefined
      ? addBranch(wanted, branch)
      : served.porcelain.adoptWorktree({ path, branch, lockReason }),
  )
  const place = findCheckout(commonDir, refs.branch, realpathSync(path))
  if (place === undefined) throw new Refusal('IO_FAULT', { reason: 'git worktree add' })
  // Git wrote the place it was given, which for an untrusted repository is our stand-in.
  writeFileSync(join(place.path, '.git'), `gitdir: ${place.gitDir}\n`)
  markUnfinished(place.gitDir, wanted.files)
  if (wanted.anchors !== undefined) keepAnchors(place.gitDir, wanted.anchors)
  return place
}

/** A git that removes the last worktree removes the directory of all registrations, too, also when we have just made it. */
async function besideRemovals(
  commonDir: string,
  path: string,
  add: () => Promise<void>,
): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    makeDirectories(commonDir)
    try {
      return await add()
    } catch (error) {
      const isFinal = existsSync(join(commonDir, 'worktrees')) || attempt === fixedLimits.rebuilds
      if (isFinal) throw isInTheWay(error) ? new Refusal('PATH_EXISTS', { path }) : error
      // What the git that failed has made there; only an empty directory can be taken away so.
      unlessErrno(['ENOENT', 'ENOTEMPTY', 'ENOTDIR', 'EEXIST'], () => rmdirSync(path))
    }
  }
}

function isInTheWay(error: unknown): boolean {
  return error instanceof GitFailed && /already exists/.test(error.stderr)
}

async function addBranch(wanted: NewCheckout, branch: string): Promise<void> {
  const { served, refs, path, base } = wanted
  const { zero } = served
  const ours: RefUpdate[] = []
  for (const ref of [refs.base, refs.reported]) {
    // It may be there: left by a branch that somebody deleted, or by a process that ended before it made one.
    ours.push({ ref, old: (await served.resolveRef(ref)) ?? zero, new: base })
  }
  await served.refs.update(ours)
  try {
    await served.porcelain.addWorktree({ path, branch, base, lockReason })
  } catch (error) {
    rmSync(path, { recursive: true, force: true })
    const isMade = (await served.resolveRef(refs.branch)) === base
    const made = isMade ? [{ ref: refs.branch, old: zero, new: base }] : []
    const undone = [...made, ...ours].map(({ ref, old }) => ({ ref, old: base, new: old }))
    await served.refs.update(undone)
    throw branchInTheWay(error, branch) ?? error
  }
}

/** A branch called `agent` and branches below `agent/` exclude each other. */
function branchInTheWay(error: unknown, branch: string): Refusal | undefined {
  const other = /'refs\/heads\/([^']+)' exists; cannot create/.exec(String(error))?.[1]
  if (other === undefined) return undefined
  const problem = `the branch ${other} leaves no room for ${branch}; start with another --branch-prefix or rename it`
  return new Refusal('UNSUPPORTED_REPOSITORY', { branch: other, problem })
}

/** Git does not sync what it writes about a new worktree. */
async function syncRegistration({ gitDir, path }: CheckoutPlace): Promise<void> {
  const files = ['HEAD', 'commondir', 'gitdir', 'locked'].map(name => join(gitDir, name))
  const view = anchorsPath(gitDir)
  const directories = [
    dirname(view),
    gitDir,
    dirname(gitDir),
    dirname(dirname(gitDir)),
    path,
    dirname(path),
  ]
  await syncPaths(
    [...files, view, join(path, '.git'), ...directories].filter(file => existsSync(file)),
  )
}
