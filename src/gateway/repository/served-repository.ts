import { join } from 'node:path'
import { Refusal } from '../../core/errors.js'
import type { Limits } from '../../core/limits.js'
import { type Oid, zeroOid } from '../../core/oid.js'
import type { Parsers } from '../../core/parsers.js'
import { parseCommit } from '../../io/git/commit-object.js'
import { CommitTree } from '../../io/git/commit-tree.js'
import { TreeDiffer } from '../../io/git/diff-trees.js'
import type { NewObject } from '../../io/git/edit-tree.js'
import { listStatus } from '../../io/git/list-files.js'
import { readLooseRef } from '../../io/git/loose-ref.js'
import { ObjectReader } from '../../io/git/object-reader.js'
import { type Durability, writeObjects } from '../../io/git/object-writer.js'
import type { Repository } from '../../io/git/open-repository.js'
import { openPorcelain, type Porcelain } from '../../io/git/porcelain.js'
import { RefWriter } from '../../io/git/ref-writer.js'
import { GitFailed, gitText, runGit } from '../../io/git/run-git.js'
import type { Layer, Resolved } from '../../settings/layers.js'
import type { RepositoryOptions } from '../../settings/options-of.js'
import type { IncludedAnswer, SetupAnswer } from '../telling/answers.js'
import { Maintenance } from './maintenance.js'
import { Queue } from './queue.js'
import { type OutlineStore, SymbolIndex } from './symbol-index.js'
import type { UpkeepState } from './upkeep-state.js'
import { baseRefs } from './worktree-refs.js'

/** What is said of a repository's settings. */
export interface SettingsOfRepository {
  /** What holds here; nothing where no operator has said anything. */
  readonly own: Partial<RepositoryOptions>
  /** All settings as they hold here, and who said them. */
  readonly resolved?: Resolved
  /** What the repository's own file says. */
  readonly layer?: Layer
  /** The repository's own file where it is not trusted. */
  readonly ignoredFile?: string
}

/** How a repository is served. */
export interface ServedWays {
  readonly settings?: SettingsOfRepository
  readonly durability: Durability
  /** Makes the repository anew when its configuration has changed. */
  readonly reopen: () => Promise<Repository>
  /** Pack in the background; on unless false. */
  readonly maintenance?: boolean | undefined
  readonly onFault?: ((error: unknown) => void) | undefined
  readonly limits: Limits
  readonly parsers: Parsers
  /** Keeps outlines from one process to the next. */
  readonly outlines?: OutlineStore | undefined
}

/** A repository with the long-lived children that all its worktrees share. */
export class ServedRepository {
  /** Unique among the served ones. */
  readonly name: string
  readonly reader: ObjectReader
  readonly differ: TreeDiffer
  readonly porcelain: Porcelain
  /** Worktrees are made one after another, so that nobody waits for a lock that others of this process hold in turn. */
  readonly creations = new Queue()
  /** Worktrees are read for their symbols one after another: most of what they hold is the same. */
  readonly indexing = new Queue()
  /** Commands that set up new worktrees run one after another: each may take all there is. */
  readonly settingUp = new Queue()
  /** How far they are, by the git directories of the worktrees. */
  readonly setups = new Map<string, SetupAnswer>()
  /** What new worktrees were given of ignored files, until that is told; by their git directories. */
  readonly inclusions = new Map<string, IncludedAnswer>()
  /** What goes on beside the work in its worktrees, by their ids. */
  readonly upkeep = new Map<string, () => UpkeepState>()
  /** Moves refs that belong to no worktree's HEAD. */
  readonly refs: RefWriter
  /** What its files declare. */
  readonly symbols: SymbolIndex
  readonly settings: SettingsOfRepository
  readonly #treeOfCommit = new Map<Oid, Oid>()
  readonly #reopen: () => Promise<Repository>
  readonly #maintenance: Maintenance | undefined
  #repository: Repository

  constructor(repository: Repository, name: string, ways: ServedWays) {
    const { durability, reopen, maintenance = true, onFault = () => {} } = ways
    const { looseObjects } = ways.limits
    const onPacked = (): void => this.#renewChildren()
    this.#repository = repository
    this.#reopen = reopen
    this.name = name
    this.settings = ways.settings ?? { own: {} }
    const current = async (): Promise<Repository> => {
      await this.renew()
      return this.#repository
    }
    this.#maintenance = maintenance
      ? new Maintenance({ current, onPacked, onFault, looseObjects })
      : undefined
    this.reader = new ObjectReader(repository.main, repository.objectFormat)
    this.differ = new TreeDiffer(repository.main)
    this.porcelain = openPorcelain(repository.main)
    this.refs = new RefWriter(repository.main, durability)
    this.symbols = new SymbolIndex(ways.parsers, ways.outlines)
  }

  get repository(): Repository {
    return this.#repository
  }

  /** Looks whether the repository may still be served, and takes over what its configuration says now. Refuses as `openRepository`. */
  async renew(): Promise<void> {
    this.#repository.recheck()
    if (!this.#repository.isStale()) return
    this.#repository = await this.#reopen()
    this.#renewChildren()
  }

  /** Writes objects; when many have gathered they are packed in the background. */
  async store(objects: readonly NewObject[], durability: Durability): Promise<void> {
    const { objectsDir, repository } = this
    const place = { objectsDir, sharing: repository.sharing }
    const written = await writeObjects(place, objects, durability)
    this.#maintenance?.wrote(written)
  }

  /** Packs what others have left loose, where that is much. */
  considerMaintenance(): void {
    this.#maintenance?.consider()
  }

  get objectsDir(): string {
    return join(this.repository.commonDir, 'objects')
  }

  get zero(): Oid {
    return zeroOid(this.repository.objectFormat)
  }

  /** Where a ref stands now; undefined where there is no such ref. */
  async resolveRef(ref: string): Promise<Oid | undefined> {
    return readLooseRef(this.repository.commonDir, ref) ?? this.reader.resolveRef(ref)
  }

  /** The files of a commit. */
  async treeOf(commit: Oid): Promise<CommitTree> {
    const known = this.#treeOfCommit.get(commit)
    if (known !== undefined) return new CommitTree(known, this.reader)
    const { tree } = parseCommit(await this.reader.commit(commit))
    this.rememberCommit(commit, tree)
    return new CommitTree(tree, this.reader)
  }

  /** Keeps the tree of a commit that was just read or written. */
  rememberCommit(commit: Oid, tree: Oid): void {
    if (this.#treeOfCommit.size >= rememberedCommits) this.#treeOfCommit.clear()
    this.#treeOfCommit.set(commit, tree)
  }

  /** The commit a name from outside stands for: a branch, tag or id, also with `~` and `^`. Refuses with `NOT_FOUND`. */
  async commitNamed(name: string): Promise<Oid> {
    // The name travels on the child's input, never in an argument list; a newline would be a second question.
    const found = commitName.test(name) ? await this.reader.info(`${name}^{commit}`) : undefined
    if (found === undefined) throw new Refusal('NOT_FOUND', { commit: name.slice(0, 200) })
    return found.oid
  }

  async isAncestor(commit: Oid, head: Oid): Promise<boolean> {
    const isAncestor = ['merge-base', '--is-ancestor', commit, head]
    return (await runGit(this.repository.main, isAncestor, { exitCodes: [1] })).exitCode === 0
  }

  /** The agents that ever opened a worktree here and did not close it. */
  async agentNames(): Promise<readonly string[]> {
    const listing = ['for-each-ref', '--format=%(refname)', baseRefs]
    const refs = (await gitText(this.repository.main, listing)).split('\n')
    return refs.flatMap(ref => (ref.startsWith(baseRefs) ? [ref.slice(baseRefs.length)] : []))
  }

  /** True where the person's own checkout differs from its head; false also where git cannot tell in time. */
  async hasUncommittedWork(): Promise<boolean> {
    const { workTree, commonDir } = this.repository
    if (workTree === undefined) return false
    try {
      return (await listStatus(this.repository.place(commonDir, workTree))).length > 0
    } catch (error) {
      // A pipe called .gitignore is waited for; nobody needs this answer so badly.
      if (error instanceof Refusal || error instanceof GitFailed) return false
      throw error
    }
  }

  async stop(): Promise<void> {
    await this.#maintenance?.stop()
    await this.symbols.stop()
    await Promise.all([this.reader.stop(), this.differ.stop(), this.refs.stop()])
  }

  /** Children that keep what was read before, packs that are gone among it. */
  #renewChildren(): void {
    this.reader.renew()
    this.differ.renew()
  }
}

const rememberedCommits = 1_000

/** Neither an option nor one of git's searches: `:/` and `^{/}` match every message with a pattern of the asker's. */
const commitName = /^(?!-)[^\s\p{Cc}:?*[\\{}]{1,500}$/u
