import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import type { AnchorScheme } from '../../core/anchor-scheme.js'
import { Refusal } from '../../core/errors.js'
import type { Oid } from '../../core/oid.js'
import { AttributeReader } from '../../io/git/attributes.js'
import type { IndexCache } from '../../io/git/index-file.js'
import type { FileListing } from '../../io/git/list-files.js'
import type { Durability } from '../../io/git/object-writer.js'
import {
  closeOwnerRecord,
  type OwnerRecord,
  openOwnerRecord,
  ownDirectory,
} from '../../io/git/owner-record.js'
import { readRegular } from '../../io/git/read-regular.js'
import { RefWriter } from '../../io/git/ref-writer.js'
import type { GitPlace } from '../../io/git/run-git.js'
import type { ServedRepository } from '../repository/served-repository.js'
import { SharedRun } from '../repository/shared-run.js'
import { checkedOutElsewhere, type KnownHeads } from './checked-out-elsewhere.js'
import { KeptListing } from './kept-listing.js'
import { WorktreeChanges } from './worktree-changes.js'
import { keptAnchors } from './worktree-view.js'

/** Where one agent's linked worktree lies. */
export interface CheckoutPlace {
  /** The directory that holds the files. */
  readonly path: string
  /** Its own git directory, `<common dir>/worktrees/<id>`. */
  readonly gitDir: string
  /** The full ref of its branch. */
  readonly branch: string
}

/** How work is done in a worktree. */
export interface CheckoutWays {
  readonly durability: Durability
  /** Use the repository's own git configuration: filters run, hooks never. */
  readonly trustConfig: boolean
  /** Learns of errors that were survived: the answer could not tell them. */
  readonly onFault?: (error: unknown) => void
}

const headBytes = 4_096

/** A linked worktree with the children and records that work on it. */
export class Checkout {
  readonly served: ServedRepository
  readonly path: string
  readonly gitDir: string
  readonly branch: string
  readonly place: GitPlace
  readonly refs: RefWriter
  readonly attributes: AttributeReader
  readonly indexCache: IndexCache = new Map()
  readonly #otherHeads: KnownHeads = new Map()
  readonly durability: Durability
  readonly trusted: boolean
  /** How the anchors of its view are made; undefined where it is read plain. */
  readonly anchors: AnchorScheme | undefined
  readonly onFault: (error: unknown) => void
  readonly keptListing: KeptListing
  /** What git lists; however many ask at once, one git is at work. */
  readonly listing: SharedRun<FileListing>
  /** Counts what is known to have changed in it. */
  readonly changes = new WorktreeChanges()
  readonly #besides: (() => Promise<void>)[] = []
  #isStopped = false
  #owner: OwnerRecord | undefined

  constructor(served: ServedRepository, place: CheckoutPlace, ways: CheckoutWays) {
    const { repository } = served
    this.served = served
    this.path = place.path
    this.gitDir = place.gitDir
    this.branch = place.branch
    this.durability = ways.durability
    this.trusted = ways.trustConfig
    this.anchors = keptAnchors(place.gitDir)
    this.onFault = ways.onFault ?? (() => {})
    this.place = repository.place(place.gitDir, place.path)
    this.keptListing = new KeptListing(this)
    this.listing = new SharedRun(() => this.keptListing.files())
    this.refs = new RefWriter(this.place, ways.durability)
    this.attributes = new AttributeReader(
      this.place,
      place.path,
      () => served.repository.conversion,
      { path: this.indexPath, cache: this.indexCache },
    )
  }

  /** Our own folder in the git directory: records, temporary files, the intent. */
  get workDir(): string {
    return ownDirectory(this.gitDir)
  }

  get indexPath(): string {
    return join(this.gitDir, 'index')
  }

  /** The record that proves a lock to be ours; made when first needed. */
  get owner(): OwnerRecord {
    this.#owner ??= openOwnerRecord(this.gitDir, { durable: this.durability === 'power' })
    return this.#owner
  }

  /** The commit the branch stands at. Refuses with `WORKTREE_GONE` when the branch or the directory is gone. */
  async head(): Promise<Oid> {
    this.assertThere()
    const head = await this.served.resolveRef(this.branch)
    if (head === undefined) {
      const branch = branchName(this.branch)
      const repair = `find the commit in the reflog of HEAD, then git branch ${branch} <commit>`
      throw new Refusal('WORKTREE_GONE', { path: this.path, branch, repair })
    }
    return head
  }

  /** Refuses with `WORKTREE_GONE` when the directory or its registration was removed. */
  assertThere(): void {
    if (!this.isThere()) throw worktreeGone(this, isDirectory(this.gitDir))
  }

  /** True while the directory and its registration exist. */
  isThere(): boolean {
    return isDirectory(this.path) && isDirectory(this.gitDir)
  }

  /** Refuses with `HEAD_MOVED` unless our branch is checked out here, and with `LOCKED` in the middle of a merge, rebase and the like or where it is checked out twice. */
  assertQuiet(): void {
    this.assertOnBranch()
    for (const [name, reason] of operations) {
      if (lstatSync(join(this.gitDir, name), { throwIfNoEntry: false })) {
        throw new Refusal('LOCKED', { reason })
      }
    }
    const path = checkedOutElsewhere(this.served.repository, this, this.#otherHeads)
    if (path !== undefined)
      throw new Refusal('LOCKED', { reason: 'the branch is checked out elsewhere too', path })
  }

  /** Refuses with `HEAD_MOVED` unless our branch is checked out here. */
  assertOnBranch(): void {
    const head = readRegular(join(this.gitDir, 'HEAD'), headBytes)?.toString('utf8').trimEnd() ?? ''
    if (head !== `ref: ${this.branch}`) {
      throw new Refusal('HEAD_MOVED', { branch: this.branch, head: head.replace(/^ref: /, '') })
    }
  }

  /** Ends, together with the children, what goes on beside the work in the worktree; at once where that is over. */
  onStop(end: () => Promise<void>): void {
    if (this.#isStopped) void end()
    else this.#besides.push(end)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await Promise.all(this.#besides.splice(0).map(end => end()))
    await Promise.all([this.refs.stop(), this.attributes.stop(), this.keptListing.settled()])
    if (this.#owner !== undefined) closeOwnerRecord(this.#owner)
    this.#owner = undefined
  }
}

/** The refusal for a worktree that lost its directory or its registration, with what a person can do. */
export function worktreeGone(
  { path, branch }: Pick<CheckoutPlace, 'path' | 'branch'>,
  registered: boolean,
): Refusal {
  const repair = registered
    ? `\`git worktree unlock "${path}" && git worktree prune\`, then open the worktree again; if it was moved, \`git worktree repair <new path>\``
    : 'open the worktree again'
  return new Refusal('WORKTREE_GONE', { path, branch: branchName(branch), repair })
}

function branchName(ref: string): string {
  return ref.slice('refs/heads/'.length)
}

function isDirectory(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

const operations: readonly (readonly [file: string, reason: string])[] = [
  ['MERGE_HEAD', 'merge in progress'],
  ['CHERRY_PICK_HEAD', 'cherry-pick in progress'],
  ['REVERT_HEAD', 'revert in progress'],
  ['rebase-merge', 'rebase in progress'],
  ['rebase-apply', 'rebase or am in progress'],
]
