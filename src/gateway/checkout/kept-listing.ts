import { fixedLimits } from '../../core/limits.js'
import { parentOf } from '../../io/files/standing-directories.js'
import { type IndexCache, type IndexLayout, readIndex } from '../../io/git/index-file.js'
import { type FileListing, listFiles, splitNames } from '../../io/git/list-files.js'
import { listOthers, printTracked, utf8Of } from '../../io/git/list-names.js'
import type { GitPlace } from '../../io/git/run-git.js'
import { Queue } from '../repository/queue.js'
import { DirectoryStamp } from './directory-stamp.js'
import { Moment } from './moment.js'

/** The worktree whose files are listed. */
export interface Listed {
  readonly path: string
  readonly place: GitPlace
  readonly trusted: boolean
  readonly indexPath: string
  readonly indexCache: IndexCache
  /** Another one when the configuration has changed. */
  readonly served: { readonly repository: unknown }
}

/** What git does not track and would add, as it was listed. */
interface KeptOthers {
  readonly names: readonly string[]
  readonly index: IndexLayout
  readonly repository: unknown
  readonly stamp: DirectoryStamp
}

/** What was listed before and holds. */
export interface KeptFiles {
  /** What git does not track and would add, by its bytes as latin1. */
  readonly others: readonly string[]
  /** Directories that no link leads to, among them all that hold a file which git lists. */
  readonly standing: ReadonlySet<string>
}

/** Names of the index, as git prints them. */
interface KeptTracked {
  readonly index: IndexLayout
  readonly printed: Buffer
}

/**
 * What git lists in a worktree. A listing is given again only after a look that shows that git would say the same: the
 * index and every directory that git looks into are what they were before the listing began.
 */
export class KeptListing {
  readonly #checkout: Listed
  readonly #stamping = new Queue()
  #others: KeptOthers | undefined
  #tracked: KeptTracked | undefined
  #walks = 0

  constructor(checkout: Listed) {
    this.#checkout = checkout
  }

  /** Times that git had to walk through the directories. */
  get walks(): number {
    return this.#walks
  }

  /** Resolves when what was listed last can be given again, if it can be. */
  async settled(): Promise<void> {
    await this.#stamping.idle()
  }

  /** What was listed before, where index and configuration are the same; git may say something else by now. */
  get last(): KeptFiles | undefined {
    const kept = this.#others
    if (kept === undefined || !this.#isOfIndex(kept)) return undefined
    return { others: kept.names, standing: kept.stamp.directories }
  }

  /** The same, where git would say the same. */
  async current(): Promise<KeptFiles | undefined> {
    const kept = this.#others
    const isCurrent = kept !== undefined && (await this.#isCurrent(kept))
    return isCurrent ? { others: kept.names, standing: kept.stamp.directories } : undefined
  }

  /** What git does not track and would add, by its bytes as latin1. */
  async others(): Promise<readonly string[]> {
    const kept = await this.current()
    return kept?.others ?? this.listOthers()
  }

  /** The same, asked of git. */
  async listOthers(): Promise<readonly string[]> {
    const index = this.#index()
    const begun = new Moment()
    const { repository } = this.#checkout.served
    this.#walks += 1
    const names = await listOthers(this.#checkout.place)
    // Nobody waits for the look at what it depends on.
    if (index !== undefined)
      void this.#stamping.run(() => this.#keep({ names, index, repository }, begun))
    return names
  }

  /** Files that git tracks or would add, each once. */
  async files(): Promise<FileListing> {
    const index = this.#index()
    const [others, tracked] = await Promise.all([this.others(), this.printed(index)])
    // A file that came out of the index between the two looks would be in neither.
    if (index === undefined || this.#index() !== index) return listFiles(this.#checkout.place)
    const untracked = splitNames(Buffer.from(others.map(name => `${name}\0`).join(''), 'latin1'))
    const named = splitNames(tracked)
    return {
      files: [...untracked.files, ...named.files],
      unnamed: untracked.unnamed + named.unnamed,
    }
  }

  /** What git tracks, each name with a NUL behind it. */
  async printed(index: IndexLayout | undefined = this.#index()): Promise<Buffer> {
    if (index !== undefined && this.#tracked?.index === index) return this.#tracked.printed
    const printed = await printTracked(this.#checkout.place)
    const isKept = index !== undefined && printed.length <= fixedLimits.keptNameBytes
    this.#tracked = isKept && index === this.#index() ? { index, printed } : undefined
    return printed
  }

  async #isCurrent(kept: KeptOthers): Promise<boolean> {
    return this.#isOfIndex(kept) && (await kept.stamp.holds()) && this.#isOfIndex(kept)
  }

  #isOfIndex({ index, repository }: KeptOthers): boolean {
    return repository === this.#checkout.served.repository && index === this.#index()
  }

  async #keep(listed: Omit<KeptOthers, 'stamp'>, begun: Moment): Promise<void> {
    const { trusted, path: root, place } = this.#checkout
    // Where the user's own settings count, they may change unseen.
    if (trusted || listed.names.length > fixedLimits.keptListFiles) return
    try {
      const tracked = splitNames(await this.printed(listed.index))
      const others = listed.names.flatMap(name => utf8Of(name) ?? [])
      const isNamed = tracked.unnamed === 0 && others.length === listed.names.length
      const directories = directoriesAbove([...tracked.files, ...others])
      const maxDirectories = fixedLimits.watchedDirectories
      const stamped = { root, place, directories, begun, maxDirectories }
      const stamp = isNamed ? await DirectoryStamp.take(stamped) : undefined
      const isSame = listed.index === this.#index()
      this.#others = stamp && isSame ? { ...listed, stamp } : undefined
    } catch {
      // The worktree is gone or git cannot tell: it is asked the next time.
      this.#others = undefined
    }
  }

  /** Undefined where only git can read it. */
  #index(): IndexLayout | undefined {
    try {
      const index = readIndex(this.#checkout.indexPath, this.#checkout.indexCache)
      return index.identity && index
    } catch {
      return undefined
    }
  }
}

/** All directories above some names, the root among them. */
function directoriesAbove(names: readonly string[]): ReadonlySet<string> {
  const found = new Set([''])
  for (const name of names) {
    let directory = parentOf(name)
    while (!found.has(directory)) {
      found.add(directory)
      directory = parentOf(directory)
    }
  }
  return found
}
