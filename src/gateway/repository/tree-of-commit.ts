import type { Blob } from '../../core/blob.js'
import { Refusal } from '../../core/errors.js'
import type { Oid } from '../../core/oid.js'
import type { RepoPath } from '../../core/repo-path.js'
import type { Obstacle, Tree } from '../../core/tree.js'
import { type CommitTree, fileMode } from '../../io/git/commit-tree.js'
import type { ServedRepository } from './served-repository.js'

/** The files of a commit as git stores them, whatever the disk holds: what `expected_head` vouches for. */
export class TreeOfCommit implements Tree {
  readonly #tree: CommitTree
  readonly #served: ServedRepository
  readonly #maxBytes: number

  private constructor(tree: CommitTree, served: ServedRepository, maxBytes: number) {
    this.#tree = tree
    this.#served = served
    this.#maxBytes = maxBytes
  }

  /** Refuses with `NOT_FOUND` for what is no commit of the repository. */
  static async open(
    served: ServedRepository,
    commit: Oid,
    maxBytes: number,
  ): Promise<TreeOfCommit> {
    const oid = await served.commitNamed(commit)
    return new TreeOfCommit(await served.treeOf(oid), served, maxBytes)
  }

  async read(path: RepoPath): Promise<Blob | undefined> {
    const entry = await this.#tree.find(path)
    const mode = entry && fileMode(entry.mode)
    if (entry === undefined || mode === undefined) return undefined
    if (mode === '160000') return { oid: entry.oid, mode, bytes: new Uint8Array() }
    return {
      oid: entry.oid,
      mode,
      bytes: await this.#served.reader.blob(entry.oid, this.#maxBytes),
    }
  }

  /** Nothing is ever created in a commit that stands. */
  obstacle(): Promise<Obstacle | undefined> {
    return Promise.reject(new Refusal('UNSUPPORTED_OP'))
  }
}
